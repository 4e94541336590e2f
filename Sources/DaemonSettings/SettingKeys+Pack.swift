import PackExports
import Packs

/// The name of an export.
package struct ExportName: RawRepresentable, CaseIterable, Equatable, Sendable {
    package let rawValue: String

    /// nil if there is no export of this name.
    package init?(rawValue: String) {
        guard Exports.named(rawValue) != nil else { return nil }
        self.rawValue = rawValue
    }

    package static var allCases: [ExportName] { Exports.all.compactMap { ExportName(rawValue: $0.name) } }
}

extension SettingKey {
    static let pack: [SettingKey] = [
        .text(
            "pack.name", \.pack.name, "Stickers", length: 1...128,
            "The displayed name of the root pack; other packs are named after their folders."),
        .identifier(
            "pack.identifier", \.pack.identifier, "stickers",
            "The identifier of the root pack: letters, digits, dots, hyphens and underscores."),
        .text("pack.publisher", \.pack.publisher, "", length: 0...128, "The publisher of all packs; may be empty."),
        .emoji(
            "pack.emoji", \.pack.emoji,
            """
            The emoji of stickers that have none, in all packs. A sticker's own emoji come from the name of its \
            photo's file.
            """),
        .integer("colors.count", \.pack.colorCount, 5, 3...10, "Maximum number of colors; a photo may have fewer."),
        .choices(
            "colors.export", \.pack.paletteFormats,
            "The formats in which each photo's colors are written to the folder palettes of the outbox."),
        .flag(
            "gallery.enabled", \.hasGallery, true,
            "Whether index.html is written next to pack.json. If false, the gallery's files are removed."),
        .webAddress(
            "gallery.baseUrl", \.gallery.baseURL,
            "The web address of the outbox, for previews of links to it and for feeds; empty if it has none."),
        .integer(
            "gallery.maxArchiveBytes", \.gallery.maxArchiveBytes, 200_000_000, 0...4_000_000_000,
            "Maximum bytes of stickers.zip; it has only the newest stickers if all would exceed this. 0 for no ZIP."),
        .choices(
            "exports", \.exports,
            """
            The messengers and servers to write each pack for, each in a folder of its own in exports in the pack's \
            folder.
            """),
        .choice(
            "imessage.size", \.imessageSize, .regular,
            "The size of the stickers for iMessage: 300, 408 or 618 pixels; 4, 3 or 2 stickers per row."),
    ]
}
