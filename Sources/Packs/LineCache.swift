import FileNames
import PackFacts

/// The stickers of the pack written last, with their lines in one of its files: one more sticker leaves the others as
/// they are, and most of a line's cost is its colors and its date. At most 1,000: a divided pack has its own in pages.
struct LineCache {
    private var known: [ExactName: (entry: PackEntry, line: [UInt8])] = [:]

    /// The lines of these stickers, which are known from now on, instead of others.
    ///
    /// - Parameter encode: depends on nothing but the sticker.
    mutating func lines(of stickers: [PackEntry], _ encode: (PackEntry) -> OrderedJSON) -> OrderedJSON {
        let former = known
        known = Dictionary(minimumCapacity: stickers.count)
        return .lines(
            stickers.map { entry in
                let file = ExactName(entry.file)
                let line = former[file].flatMap { $0.entry.isExactly(entry) ? $0.line : nil } ?? encode(entry).bytes()
                known[file] = (entry, line)
                return .encoded(line)
            })
    }
}

extension PackEntry {
    /// Whether both are the same to the byte: `==` is also true for another normalization of their texts.
    fileprivate func isExactly(_ other: PackEntry) -> Bool {
        self == other && name.isExactly(other.name) && text.isExactly(other.text)
    }
}
