import PackExports
import PackFacts

/// What a pack's page offers besides its stickers: the exports of the pack. The list is a script beside them, because a
/// page opened as a file can read no other file.
enum PackDownloads {
    /// The first bytes of every list.
    static let beginning = Array("globalThis.stickerdExports = ".utf8)

    /// The whole script. It sets one global variable, to an array literal that is JSON.
    static func script(_ offers: [OrderedJSON]) -> [UInt8] {
        beginning + OrderedJSON.lines(offers).bytes() + Array(";\n".utf8)
    }
}

extension PackExport {
    /// What the page says of it.
    ///
    /// - Parameters:
    ///   - notes: each a sentence.
    ///   - downloads: paths in its folder.
    ///   - reason: why there are no files; nil if there are.
    func offer(
        notes: [String] = [], downloads: [(path: String, bytes: Int)] = [], withheld reason: String? = nil
    ) -> OrderedJSON {
        [
            "name": .string(name), "title": .string(title), "purpose": .string(purpose), "notes": .strings(notes),
            "downloads": .array(downloads.map { ["file": .string("\(name)/\($0.path)"), "bytes": .number($0.bytes)] }),
            "withheld": reason.map { .string($0) },
        ]
    }
}
