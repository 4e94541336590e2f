import PhotoColors
import PhotoLibrary

/// Writes each photo's colors into its pack's folder of palettes, in the formats that are asked for today, and removes
/// those that are not.
struct PaletteFiles {
    let library: PhotoLibrary
    let outbox: Outbox
    let settings: PackSettings

    /// Photos written down at a time.
    private static let batch = 100

    /// Stands for all that decides what the files say beside the photo.
    static func identity(_ settings: PackSettings) -> String {
        (settings.paletteFormats.map(\.rawValue) + ["\(settings.colorCount)"]).joined(separator: " ")
    }

    /// Costs as much as there is to be written, not as there are photos.
    ///
    /// - Throws: `OutboxError` where the file system refuses.
    func write(ofPack pack: String) async throws {
        let formats = settings.paletteFormats
        while true {
            let due = try await library.duePalettes(ofPack: pack, isWanted: !formats.isEmpty, limit: Self.batch)
            for palette in due {
                // A photo whose colors nobody knows has no palette, and asks for one anew when it is made again.
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
