import PackFacts

/// Names of files and folders in exports. They depend on the sticker's or the pack's own name alone, never on a
/// position, and are safe in every file system, archive and URL.
enum ExportFileName {
    /// The longest name in bytes, without extension: `NAME_MAX` (255) also has to hold extensions and temporary names.
    static let maxBytes = 160
    /// What exports name their own files; compared without regard to case.
    private static let reserved: Set<String> = [
        "author", "contents", "create", "main", "manifest", "tab", "thumbnail", "title", "tray",
    ]

    /// The files beside folders that are named by the pack; the same.
    private static let reservedIdentifiers: Set<String> = [
        "contents.json", "export.txt", "exports.js", "files.txt", "names.json", "withheld.txt",
    ]

    /// The stem of a sticker's pictures: that of its file, in which anything but letters and digits of any script,
    /// `.`, `_` and `-` is replaced. A changed one gets a digest of the file's name, so that it stays unique.
    static func stem(of sticker: PackEntry) -> String {
        let safe = replacing(sticker.stem, by: "-") { isLetterOrDigit($0) || $0 == "_" || $0 == "-" }
        let isUsable = safe == sticker.stem && !safe.isEmpty && !reserved.contains(safe.lowercased())
        return isUsable ? safe : unique(safe, sticker.file)
    }

    /// The pack's identifier as a name: ASCII letters and digits, `.`, `_` and `-`. A changed or reserved one gets a
    /// digest.
    static func identifier(of pack: Pack) -> String {
        let safe = replacing(pack.identifier, by: "-") {
            $0.isASCII && (isLetterOrDigit($0) || $0 == "_" || $0 == "-")
        }
        guard !pack.identifier.isEmpty else { return "stickers" }
        let isUsable = safe == pack.identifier && !reservedIdentifiers.contains(safe.lowercased())
        return isUsable ? safe : unique(safe, pack.identifier)
    }

    /// The name of a pack's set: `cats` for the first, `cats_set2` for the second.
    static func set(_ number: Int, of name: String) -> String { number > 1 ? "\(name)_set\(number)" : name }

    /// Replaces runs of what is not kept by one `filler`; with the filler `-`, single dots stay. None of them at the
    /// ends: WhatsApp refuses `..`, and programs take a leading `-` for an option. Cut to `maxBytes`.
    static func replacing(
        _ text: String, by filler: Unicode.Scalar, keeping isKept: (Unicode.Scalar) -> Bool
    ) -> String {
        var name = String.UnicodeScalarView()
        var length = 0
        var separator: Unicode.Scalar?
        for scalar in text.unicodeScalars where !(name.isEmpty && scalar == filler) {
            guard isKept(scalar) else {
                separator = separator == nil && scalar == "." && filler == "-" ? scalar : filler
                continue
            }
            if name.isEmpty { separator = nil }
            let added = UTF8.width(scalar) + (separator == nil ? 0 : 1)
            guard length + added <= maxBytes else { break }
            if let separator { name.append(separator) }
            separator = nil
            name.append(scalar)
            length += added
        }
        while name.last == filler { name.removeLast() }
        return String(name)
    }

    /// Appends a digest of `source`.
    static func unique(_ name: String, _ source: String) -> String {
        let digest = Fingerprint(of: source).text
        return name.isEmpty ? digest : name + "-" + digest
    }

    /// Letters with their vowel signs and accents, and digits. No invisible characters: some count as letters or marks.
    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            !scalar.properties.isDefaultIgnorableCodePoint
        default: false
        }
    }
}

/// 64-bit FNV-1a (Fowler, Noll, Vo) of texts: tells them apart, but is not cryptographic.
struct Fingerprint {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    init() {}

    init(of text: String) { add(text) }

    /// Adds a text and its end, so that "ab" and "c" are not "a" and "bc".
    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

    /// 16 hexadecimal digits.
    var text: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
