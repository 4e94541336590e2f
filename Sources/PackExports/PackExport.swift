package import StickerStudio

/// A place that packs are sent to, and what it wants: one type for each, which plans its files from a pack.
package protocol PackExport: Sendable {
    /// As in the settings, and the name of its folder.
    var name: String { get }
    /// As people write it.
    var title: String { get }
    /// What the files are for and how to use them, in one sentence.
    var purpose: String { get }

    /// The files of a pack.
    ///
    /// - Parameters:
    ///   - pack: to be exported.
    ///   - book: the sets and names that earlier plans gave; what this one gives is added.
    /// - Throws: why the pack cannot be exported, as a sentence with the cure.
    func plan(_ pack: ExportPack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan
}

/// Why a pack cannot be exported.
package struct ExportRefusal: Error, Equatable {
    /// A sentence with the cure, for journal, status and page.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// What exports know of a pack. Texts are untrusted, but without control characters: `pack.json` has them escaped.
package struct ExportPack: Sendable {
    package let name: String
    /// ASCII letters, digits, dots, hyphens, underscores; other packs than the root append their folder's name, which
    /// may have letters of any script.
    package let identifier: String
    /// May be empty.
    package let publisher: String
    /// For stickers that have none; may be empty.
    package let emoji: [String]
    /// In order of arrival.
    package let stickers: [ExportSticker]

    package init(name: String, identifier: String, publisher: String, emoji: [String], stickers: [ExportSticker]) {
        self.name = name
        self.identifier = identifier
        self.publisher = publisher
        self.emoji = emoji
        self.stickers = stickers
    }

    /// A sticker's own emoji, the pack's, or a heart; at least one, at most `limit`.
    func emoji(of sticker: ExportSticker, upTo limit: Int) -> [String] {
        let known = sticker.emoji.isEmpty ? emoji : sticker.emoji
        return known.isEmpty ? ["❤️"] : Array(known.prefix(limit))
    }
}

/// A finished sticker of a pack.
package struct ExportSticker: Hashable, Sendable {
    /// As in `pack.json`: `sha256:` and the photo's digest, and perhaps `#2`.
    package let id: String
    /// The name of its file in the pack's folder; unique in the pack.
    package let file: String
    /// For people to read; not empty.
    package let name: String
    /// Its words; may be empty.
    package let text: String
    package let emoji: [String]
    /// Changes whenever the file's bytes do; empty if it is not known.
    package let digest: String
    /// Of its file, lowercase hexadecimal; nil if only the file tells.
    package let sha256: String?
    /// Of its file in pixels, as in `pack.json`; nil if it is not known.
    package let size: Size?

    package struct Size: Hashable, Sendable {
        package let width: Int
        package let height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    package init(
        id: String, file: String, name: String, text: String, emoji: [String], digest: String = "",
        sha256: String? = nil, size: Size? = nil
    ) {
        self.id = id
        self.file = file
        self.size = size
        self.digest = digest
        self.sha256 = sha256
        self.name = name
        self.text = text
        self.emoji = emoji
    }

    /// The file's name without its extension.
    package var stem: String { file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file }
}

/// All files of an export. Paths are relative to its folder, with at most two folders (Apple's asset catalogs have one
/// in another), and safe to use: no component is empty, `.`, `..` or longer than 200 bytes.
package struct ExportPlan: Sendable, Equatable {
    /// In the order in which they are written: pictures, then what lists them, then archives of them.
    package var files: [ExportFile]
    /// What the reader has to know, such as stickers that are left out, each a sentence.
    package var notes: [String]

    package init(files: [ExportFile], notes: [String] = []) {
        self.files = files
        self.notes = notes
    }
}

package struct ExportFile: Sendable, Equatable {
    package enum Contents: Sendable, Equatable {
        case picture(ExportPicture)
        case bytes([UInt8])
        /// In this order; names have at most two folders.
        case zip([ExportEntry])
        case tarGz([ExportEntry])
    }

    package let path: String
    package let contents: Contents
    /// Whether the page offers it as a download: what the user takes along.
    package let isDownload: Bool

    package init(_ path: String, _ contents: Contents, isDownload: Bool = false) {
        self.path = path
        self.contents = contents
        self.isDownload = isDownload
    }
}

extension [ExportFile] {
    /// Returns a ZIP of these files, offered as a download on the page.
    ///
    /// - Parameters:
    ///   - path: of the ZIP.
    ///   - folder: the prefix that is removed from the files' paths to form the entries' names.
    func zipped(as path: String, without folder: String = "") -> ExportFile {
        let entries = compactMap { file -> ExportEntry? in
            // Not by characters: a slash and a combining mark behind it are one.
            let name = String(Substring(file.path.utf8.dropFirst(folder.utf8.count)))
            return switch file.contents {
            case .picture(let picture): ExportEntry(name, .picture(picture))
            case .bytes(let bytes): ExportEntry(name, .bytes(bytes))
            case .zip, .tarGz: nil
            }
        }
        return ExportFile(path, .zip(entries), isDownload: true)
    }
}

/// A file in an archive.
package struct ExportEntry: Sendable, Equatable {
    package enum Contents: Sendable, Equatable {
        case picture(ExportPicture)
        case bytes([UInt8])
    }

    package let name: String
    package let contents: Contents

    package init(_ name: String, _ contents: Contents) {
        self.name = name
        self.contents = contents
    }
}

/// A picture made from a sticker.
package struct ExportPicture: Sendable, Hashable {
    package let sticker: ExportSticker
    package let form: PictureForm

    package init(of sticker: ExportSticker, _ form: PictureForm) {
        self.sticker = sticker
        self.form = form
    }
}
