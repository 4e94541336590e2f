/// The names of the files of a page, which lists consecutive stickers of a large pack.
///
/// A file name never gets other contents: it has the page's number, which no other page of the pack ever gets, and the
/// revision, which every change increments.
package struct PageName: Sendable, Hashable {
    package let number: Int
    package let revision: Int

    package init(number: Int, revision: Int) { (self.number, self.revision) = (number, revision) }

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

    /// The path of a file, relative to the pack's folder: `pack/0001-7.json` for the seventh revision of the first
    /// page.
    package func file(_ kind: Kind) -> String { OutboxSubfolder.pages.file(stem + kind.rawValue) }

    /// The name of its files without the extension.
    package var stem: String {
        // Called for every page of a pack: strings of up to 15 bytes need no memory of their own, unlike interpolation.
        var digits = String(number)
        while digits.utf8.count < Self.minDigits { digits = "0" + digits }
        return digits + "-" + String(revision)
    }

    /// The page and the kind of a path, relative to the pack's folder; nil for any that stickerd could not have given a
    /// page's file.
    package static func parse(_ file: String) -> (page: PageName, kind: Kind)? {
        let prefix = OutboxSubfolder.pages.prefix
        guard file.hasPrefix(prefix), let kind = Kind.allCases.first(where: { file.hasSuffix($0.rawValue) }),
            file.utf8.count <= prefix.utf8.count + 2 * maxDigits + kind.rawValue.utf8.count + 1
        else { return nil }
        let parts = file.dropFirst(prefix.count).dropLast(kind.rawValue.count)
            .split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...maxDigits).contains($0.utf8.count) }),
            let number = Int(parts[0]), let revision = Int(parts[1]), number >= 0, revision >= 0
        else { return nil }
        let page = PageName(number: number, revision: revision)
        return page.file(kind).utf8.elementsEqual(file.utf8) ? (page, kind) : nil
    }
}
