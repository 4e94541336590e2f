import PhotoColors
import PhotoLibrary

/// Writes each photo's palettes in the formats of the settings, and removes those in other formats.
struct PaletteFiles {
    let library: PhotoLibrary
    let outbox: Outbox
    let settings: PackSettings

    /// The most photos fetched from the Library at once.
    private static let batch = 100

    /// Everything besides the photos that the files depend on.
    static func identity(_ settings: PackSettings) -> String {
        (settings.paletteFormats.map(\.rawValue) + ["\(settings.colorCount)", "\(PhotoColorScheme.revision)"])
            .joined(separator: " ")
    }

    /// Writes what is due. The cost depends on that, not on the number of photos.
    ///
    /// - Throws: `OutboxError` if the file system refuses.
    func write(ofPack pack: String) async throws {
        let formats = settings.paletteFormats
        while true {
            let due = try await library.duePalettes(ofPack: pack, isWanted: !formats.isEmpty, limit: Self.batch)
            for palette in due {
                // A photo without known colors has no palette, and is due again when it is remade.
                let wanted = palette.isGone || palette.colors == nil ? [] : formats.map(\.rawValue)
                let either = palette.written + wanted.filter { !palette.written.contains($0) }
                if !wanted.isEmpty {
                    try await library.wrote(either, for: palette, ofPack: pack, isDone: false)
                }
                if let colors = palette.colors, !wanted.isEmpty {
                    let scheme = colors.scheme(count: settings.colorCount)
                    for format in formats {
                        try await outbox.publish(
                            format.file(of: scheme, named: palette.stem), named: name(palette, format), inPack: pack,
                            under: .palettes)
                    }
                }
                let gone = either.filter { !wanted.contains($0) }.compactMap(PaletteFormat.init)
                try await outbox.withdraw(
                    gone.map { "\(OutboxSubfolder.palettes.rawValue)/\(name(palette, $0))" }, fromPack: pack)
                try await library.wrote(wanted, for: palette, ofPack: pack, isDone: true)
            }
            if due.count < Self.batch { return }
        }
    }

    private func name(_ palette: PhotoLibrary.DuePalette, _ format: PaletteFormat) -> String {
        "\(palette.stem).\(format.fileExtension)"
    }
}
