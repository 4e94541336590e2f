import PackFacts

/// The stickers of the pack written last, with their lines in one of its files: one more sticker leaves the others as
/// they are, and most of a line's cost is its colors and its date. At most 1,000: a divided pack has its own in pages.
struct LineCache {
    private var known: [PackEntry: [UInt8]] = [:]

    /// The lines of these stickers, which are known from now on, instead of others.
    ///
    /// - Parameter encode: depends on nothing but the sticker.
    mutating func lines(of stickers: [PackEntry], _ encode: (PackEntry) -> OrderedJSON) -> OrderedJSON {
        let former = known
        known = Dictionary(minimumCapacity: stickers.count)
        return .lines(
            stickers.map { entry in
                let line = former[entry] ?? encode(entry).bytes()
                known[entry] = line
                return .encoded(line)
            })
    }
}
