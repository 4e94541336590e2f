import FileNames
import Foundation
import LinuxIO
package import SystemPackage

/// Names of files and folders in the outbox: readable, and safe in URLs, shells and every file system.
package enum OutboxName {
    /// The longest stem in bytes. It leaves room in NAME_MAX (255) for digits, extension and temporary names.
    static let maxStemBytes = 120
    /// The number of hexadecimal digits of the photo's SHA-256 in a sticker's name: more only if another photo has the
    /// same.
    package static let digits = [8, 16, 64]
    /// Names in the outbox that no pack's folder may have.
    static let reserved = Set((OutboxSubfolder.allCases.map(\.rawValue) + OutboxFile.all).map { FoldedName($0) })
    /// The ends of stickers' names; no pack's folder has one.
    package static let stickerEndings = [".png", ".webp"]
    /// Numbers for packs' folders whose name is taken.
    private static let spares = 2...9

    /// Names for a sticker, best first: other photos may have the short ones, but none the last.
    ///
    /// `cat-1a2b3c4d.png`; `cat-1a2b3c4d-2.png` for the second sticker of a photo; digits alone without a stem.
    /// - Parameters:
    ///   - stem: of the photo's file, escaped; nil leaves it out.
    ///   - photo: SHA-256 of the photo in hexadecimal.
    ///   - ordinal: from 0, which gets no number.
    ///   - fileExtension: without the dot.
    package static func stickers(stem: String?, photo: String, ordinal: Int, fileExtension: String) -> [String] {
        let number = ordinal > 0 ? "-\(ordinal + 1)" : ""
        return stems(stem: stem, photo: photo).map { $0 + number + "." + fileExtension }
    }

    /// The same without extension, for files of which a photo has one.
    package static func stems(stem: String?, photo: String) -> [String] {
        let stem = stem.map { sanitized(InboxPath.shown(escaped: $0)) } ?? ""
        return digits.map { digits in (stem.isEmpty ? "" : stem + "-") + photo.prefix(digits) }
    }

    /// The name, without extension, of the palette files that were written with a sticker.
    package static func paletteStem(ofSticker file: String, ordinal: Int) -> String {
        let (stem, number) = (FilePath(file).stem ?? file, "-\(ordinal + 1)")
        return ordinal > 0 && stem.hasSuffix(number) ? String(stem.dropLast(number.count)) : stem
    }

    /// The name of a sticker's thumbnail.
    package static func thumbnail(ofSticker file: String) -> String {
        (FilePath(file).stem ?? file) + ".webp"
    }

    /// Whether a name in an index, which others may have written, is one that stickerd may have given a file.
    package static func isFileName(_ name: String) -> Bool {
        // Escaping changes control characters and backslashes, also those of escapes.
        guard InboxPath(bytes: Array(name.utf8)).description == name else { return false }
        let path = FilePath(name)
        return path.string == name && path.root == nil && path.components.count == 1
            && path.lastComponent?.kind == .regular
    }

    /// The same for a sticker's file.
    package static func isSticker(_ name: String) -> Bool {
        isFileName(name) && stickerEndings.contains { name.hasSuffix($0) }
    }

    /// The part of a sticker's name that comes from its photo's: without the digits that make it unique.
    package static func title(ofSticker file: String, photo: String) -> String {
        let name = FilePath(file).stem ?? file
        for stem in stems(stem: nil, photo: photo).reversed() {
            guard let range = name.range(of: "-" + stem, options: .backwards) else { continue }
            return String(name[..<range.lowerBound])
        }
        return name
    }

    /// Folder names for a pack, best first: other packs may have some of them, but hardly the last, which has a digest
    /// of the pack's name. On no file system can one be the name of a sticker, because the root pack's stickers lie
    /// beside the folders.
    package static func packFolders(for pack: String) throws(Errno) -> [String] {
        guard !pack.isEmpty else { return [""] }
        var base = sanitized(InboxPath.shown(escaped: pack))
        if base.isEmpty { base = "unnamed" }
        if isDevice(base) { base = "_" + base }
        let folded = FoldedName(base)
        let isTaken = reserved.contains(folded) || stickerEndings.contains { folded.text.hasSuffix($0) }
        let first = isTaken ? [] : [base]
        let digest = try ContentDigest.sha256(of: Array(pack.utf8)).hex
        return first + spares.map { "\(base)-\($0)" } + digits.map { "\(base)-\(digest.prefix($0))" }
    }

    /// Whether the name stands for a device in Windows, with any ending: NTFS and SMB refuse it as a file's
    /// (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
    private static func isDevice(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." }.lowercased()
        let hasNumber = stem.count == 4 && (stem.hasPrefix("com") || stem.hasPrefix("lpt"))
        return ["con", "prn", "aux", "nul"].contains(stem) || hasNumber && "0123456789¹²³".contains(stem.suffix(1))
    }

    /// Keeps letters and digits of any script, `.`, `_` and `-`, and replaces other runs by one `-`; no dot or dash at
    /// the ends. Cut to `maxStemBytes`; may be empty.
    package static func sanitized(_ text: String) -> String {
        var name = ""
        for character in text {
            let kept = character.isLetter || character.isNumber || "._-".contains(character)
            if kept {
                guard name.utf8.count + character.utf8.count <= maxStemBytes else { break }
                name.append(character)
            } else if name.last != "-" {
                name.append("-")
            }
        }
        while let last = name.last, "-.".contains(last) { name.removeLast() }
        return String(name.drop { "-.".contains($0) })
    }
}
