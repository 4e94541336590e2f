/// Names for files and folders of the outbox: safe in a URL, a shell and every file system, readable all the same.
package enum OutboxName {
    /// Longest stem in bytes, which leaves room in NAME_MAX (255) for the digits, the ending and temporary names.
    static let maxStemBytes = 120
    /// Hexadecimal digits of the photo's SHA-256 in a sticker's name: more only where another photo has these too.
    static let digits = [8, 16, 64]
    /// Folders and files of the outbox that are not packs.
    static let reserved: Set<String> = ["palettes", "thumbnails", "index.html", "pack.json"]

    /// Names for a sticker, best first: other photos may have taken the short ones, nobody the last.
    ///
    /// `cat-1a2b3c4d.png`; `cat-1a2b3c4d-2.png` for the second sticker of a photo; digits alone without a stem.
    /// - Parameter photo: SHA-256 of the photo in hexadecimal.
    package static func stickers(stem: String?, photo: String, ordinal: Int, fileExtension: String) -> [String] {
        let stem = stem.map(sanitized) ?? ""
        let number = ordinal > 0 ? "-\(ordinal + 1)" : ""
        return digits.map { digits in
            (stem.isEmpty ? "" : stem + "-") + photo.prefix(digits) + number + "." + fileExtension
        }
    }

    /// Folder names for a pack, best first: other packs may have taken some of them.
    package static func packFolders(for pack: String) -> [String] {
        guard !pack.isEmpty else { return [""] }
        var base = sanitized(pack)
        if base.isEmpty { base = "pack" }
        let first = reserved.contains(base.lowercased()) ? [] : [base]
        return first + (2...1000).map { "\(base)-\($0)" }
    }

    /// Letters and digits of any script, `.`, `_` and `-`; everything else becomes one `-`; no dot or dash at the ends.
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
