package import PackFacts
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
    ///   - pack: to be exported; its texts have no control characters.
    ///   - book: the sets and names that earlier plans gave; what this one gives is added.
    /// - Throws: why the pack cannot be exported, as a sentence with the cure.
    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan
}

/// Why a pack cannot be exported.
package struct ExportRefusal: Error, Equatable {
    /// A sentence with the cure, for journal, status and page.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

extension Pack {
    /// A sticker's own emoji, the pack's, or a heart; at least one, at most `limit`.
    func emoji(of sticker: PackEntry, upTo limit: Int) -> [String] {
        let known = sticker.emoji.isEmpty ? emoji : sticker.emoji
        return known.isEmpty ? ["❤️"] : Array(known.prefix(limit))
    }
}

extension PackEntry {
    /// The file's name without its extension.
    package var stem: String { file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file }

    /// Changes whenever the file's bytes do: a sticker that is drawn differently has another size, in pixels or bytes,
    /// for all practical purposes. The confidence is as in `pack.json`.
    var digest: String { "\(bytes) \(width) \(height) \((confidence * 1e4).rounded() / 1e4)" }
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
    /// - Parameter folder: the prefix that is removed from the files' paths to form the entries' names.
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
    package let sticker: PackEntry
    package let form: PictureForm

    package init(of sticker: PackEntry, _ form: PictureForm) {
        self.sticker = sticker
        self.form = form
    }
}
