import GRDB

/// A part of a large pack's index: consecutive stickers that are listed in files of their own.
///
/// A file name never gets other contents: it has the page's number, which no other page of the pack ever gets, and the
/// revision, which every change increments.
package struct PackPage: Sendable, Hashable {
    package let number: Int
    package let revision: Int
    /// How many stickers the file lists.
    package let stickers: Int
    /// The arrival at which its range begins.
    let first: Int64

    /// The subfolder of a pack's folder that has the files.
    package static let folder = "pack"
    private static let minDigits = 4
    /// Longer numbers in a file's name are not stickerd's.
    private static let maxDigits = 15

    /// What a page's file is for.
    package enum Kind: String, CaseIterable, Sendable {
        /// Part of the index, for other programs.
        case index = ".json"
        /// The same stickers for the gallery's page, if there is one.
        case script = ".js"
    }

    /// The path of its file in the index, relative to the pack's folder.
    package var file: String { file(.index) }

    /// The path of a file, relative to the pack's folder.
    package func file(_ kind: Kind) -> String { Self.folder + "/" + name(kind) }

    /// `0001-7.json` for the seventh revision of the first page.
    package func name(_ kind: Kind) -> String { stem + kind.rawValue }

    /// The name of its files without the extension.
    package var stem: String { Self.stem(number, revision) }

    private static func stem(_ number: Int, _ revision: Int) -> String {
        // Called for every page of a pack: strings of up to 15 bytes need no memory of their own, unlike interpolation.
        var digits = String(number)
        while digits.utf8.count < minDigits { digits = "0" + digits }
        return digits + "-" + String(revision)
    }

    /// The same of a path, relative to the pack's folder.
    package static func parse(file: String) -> (number: Int, revision: Int, kind: Kind)? {
        file.hasPrefix(folder + "/") ? parse(name: String(file.dropFirst(folder.count + 1))) : nil
    }

    /// The parts of a name that stickerd could have given a page's file; nil for any other name.
    package static func parse(name: String) -> (number: Int, revision: Int, kind: Kind)? {
        guard let kind = Kind.allCases.first(where: { name.hasSuffix($0.rawValue) }),
            name.utf8.count <= 2 * maxDigits + kind.rawValue.utf8.count + 1
        else { return nil }
        let parts = name.dropLast(kind.rawValue.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...maxDigits).contains($0.utf8.count) }),
            let number = Int(parts[0]), let revision = Int(parts[1]), number >= 0, revision >= 0,
            (stem(number, revision) + kind.rawValue).utf8.elementsEqual(name.utf8)
        else { return nil }
        return (number, revision, kind)
    }
}

/// When a pack's index is divided into pages, and how many stickers these have. Small pages keep the cost of one more
/// sticker low: it rewrites one page.
package struct PageSizes: Sendable {
    /// A pack with more stickers than this is divided.
    package var maxUndivided: Int
    /// How many stickers the last page gets before the next one begins. Stickers that are finished late make a page
    /// larger; one with more than twice as many is divided.
    package var maxStickers: Int

    package static let standard = PageSizes(maxUndivided: 1000, maxStickers: 100)

    package init(maxUndivided: Int, maxStickers: Int) {
        self.maxUndivided = maxUndivided
        self.maxStickers = maxStickers
    }
}

/// A row of `page`; `Schema.sql` describes the columns.
struct PageRecord: FetchableRecord {
    let pack: String
    let first: Int64
    let number: Int
    let stickers: Int
    let version: Int
    private let written: Int
    private let listed: Int

    // By hand: a pack may have a thousand pages, and decoding takes several times as long.
    init(row: Row) {
        pack = row["pack"]
        first = row["first"]
        number = row["number"]
        stickers = row["stickers"]
        version = row["version"]
        written = row["written"]
        listed = row["listed"]
    }

    /// The page in its file; nil if it has none.
    var inFile: PackPage? {
        written < 0 ? nil : PackPage(number: number, revision: written, stickers: listed, first: first)
    }
}
