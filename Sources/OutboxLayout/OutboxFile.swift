/// Files in the outbox whose names are always the same.
package enum OutboxFile {
    /// A pack's index.
    package static let index = "pack.json"
    /// A pack's gallery page.
    package static let page = "index.html"
    /// A pack's newest stickers, for feed readers.
    package static let feed = "feed.json"
    /// The ZIP of a pack's stickers.
    package static let archive = "stickers.zip"
    /// The list of packs, in the outbox itself.
    package static let packs = "packs.js"

    static let all = [index, page, feed, archive, packs]
}

/// The subfolders of a pack's folder.
package enum OutboxSubfolder: String, CaseIterable, Sendable {
    /// A small WebP of each sticker, for the gallery.
    case thumbnails
    /// Each photo's colors, in the formats of `colors.export`.
    case palettes
    /// The pages of a large pack's index.
    case pages = "pack"
    /// What messengers and servers take: a folder for each export.
    case exports

    /// The beginning of its files' paths, relative to the pack's folder.
    package var prefix: String { rawValue + "/" }

    /// The path of a file in it, relative to the pack's folder.
    package func file(_ name: String) -> String { prefix + name }
}

/// Names that stickerd uses beside the files of exports.
package enum ExportFiles {
    /// What stickerd wrote to the folder, one path a line.
    package static let list = "files.txt"
    /// Which export of which pack a user's folder has.
    package static let owner = "export.txt"
    /// Why an export is withheld.
    package static let reason = "withheld.txt"
    /// The `NameBook`.
    package static let names = "names.json"
    /// What the page offers.
    package static let script = "exports.js"
    /// The same files, relative to a pack's folder.
    package static let namesPath = OutboxSubfolder.exports.file(names)
    package static let scriptPath = OutboxSubfolder.exports.file(script)
    /// The `PictureStore`.
    package static let pictures = ".pictures"
}
