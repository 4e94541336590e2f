package import PackExports
package import PhotoColors
package import StickerPipeline

extension Settings {
    /// The pack's own description.
    package struct Pack: Sendable {
        /// The root pack's name; the others are named after their folder.
        package internal(set) var name = "Stickers"
        /// ASCII letters, digits, dots, hyphens and underscores only.
        package internal(set) var identifier = "stickers"
        /// May be empty.
        package internal(set) var publisher = ""
        /// For stickers that have none; may be empty.
        package internal(set) var emoji: [Emoji] = []
    }

    /// The colors extracted from each photo.
    package struct Colors: Sendable {
        /// The maximum number of colors per photo, in `ColorExtractor.counts`.
        package internal(set) var count = 5
        /// Formats of the palette files in the outbox.
        package internal(set) var export: [PaletteFormat] = []
    }

    /// The page that shows a pack.
    package struct Gallery: Sendable {
        package internal(set) var enabled = true
        /// The web address of the outbox; empty if it has none.
        package internal(set) var baseUrl = ""
        /// Maximum bytes of the ZIP with all stickers of a pack; 0 for none.
        package internal(set) var maxArchiveBytes = 200_000_000
    }
}

extension Settings {
    /// Options of the iMessage export.
    package struct IMessage: Sendable {
        package internal(set) var size = IMessageSize.regular
    }
}

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
            "pack.name", \.pack.name, length: 1...128,
            "The displayed name of the root pack; other packs are named after their folders."),
        .identifier(
            "pack.identifier", \.pack.identifier,
            "The identifier of the root pack: letters, digits, dots, hyphens and underscores."),
        .text("pack.publisher", \.pack.publisher, length: 0...128, "The publisher of all packs; may be empty."),
        .emoji(
            "pack.emoji", \.pack.emoji,
            """
            The emoji of stickers that have none, in all packs. A sticker's own emoji come from the name of its \
            photo's file.
            """),
        .integer("colors.count", \.colors.count, 3...10, "Maximum number of colors; a photo may have fewer."),
        .choices(
            "colors.export", \.colors.export,
            "The formats in which each photo's colors are written to the folder palettes of the outbox."),
        .flag(
            "gallery.enabled", \.gallery.enabled,
            "Whether index.html is written next to pack.json. If false, the gallery's files are removed."),
        .webAddress(
            "gallery.baseUrl", \.gallery.baseUrl,
            "The web address of the outbox, for previews of links to it; empty if it has none."),
        .integer(
            "gallery.maxArchiveBytes", \.gallery.maxArchiveBytes, 0...4_000_000_000,
            "Maximum bytes of stickers.zip; it has only the newest stickers if all would exceed this. 0 for no ZIP."),
        .choices(
            "exports", \.exports,
            """
            The messengers and servers to write each pack for, each in a folder of its own in exports in the pack's \
            folder.
            """),
        .choice(
            "imessage.size", \.imessage.size,
            "The size of the stickers for iMessage: 300, 408 or 618 pixels; 4, 3 or 2 stickers per row."),
    ]
}
