import Outbox
import OutboxLayout
import PackLedger
import PhotoColors
import PhotoLibrary

/// Each photo's palettes in the formats of the settings.
struct PaletteFiles {
    let library: Library
    let publisher: Publisher
    let settings: PackSettings

    /// The most photos whose files are written together.
    private static let batch = 100

    /// Everything besides the photos that the files depend on.
    static func identity(_ settings: PackSettings) -> String {
        (settings.paletteFormats.map(\.rawValue) + ["\(settings.colorCount)", "\(PhotoColorScheme.revision)"])
            .joined(separator: " ")
    }

    /// Writes what is due. The cost depends on that, not on the number of photos.
    ///
    /// - Throws: as `Publisher.publish`.
    func write(ofPack pack: String) async throws {
        guard !settings.paletteFormats.isEmpty else { return try await library.withdrawPalettes(ofPack: pack) }
        while true {
            let due = try await library.duePalettes(ofPack: pack, limit: Self.batch)
            guard !due.isEmpty else { return }
            let changes = try await publisher.publish(
                try due.map { (.palettes(of: $0.photo), try plan($0)) }, inPack: pack)
            try await library.wrote(due, ofPack: pack, with: changes)
        }
    }

    /// A photo without known colors has no palette, and is due again when it is remade.
    func plan(_ palette: Library.DuePalette) throws -> [PlannedFile] {
        guard let scheme = palette.colors?.scheme(count: settings.colorCount) else { return [] }
        return try settings.paletteFormats.map { format in
            try PlannedFile(
                PackSettings.paletteFile(named: palette.stem, format),
                format.file(of: scheme, named: palette.stem))
        }
    }
}

extension PackSettings {
    /// The palette files of a photo, relative to its pack's folder.
    package func paletteFiles(named stem: String) -> [String] {
        paletteFormats.map { Self.paletteFile(named: stem, $0) }
    }

    fileprivate static func paletteFile(named stem: String, _ format: PaletteFormat) -> String {
        OutboxSubfolder.palettes.file("\(stem).\(format.fileExtension)")
    }
}
