/// The colors of one photo, or of its subject, more of them than any scheme has: what every scheme is made of.
///
/// Small enough to be carried along for each photo, and enough to choose another number of colors later without it.
package struct PhotoColorSample: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package let hex: HexColor
        /// Parts of `PhotoColorSample.whole`, at least one.
        package let weight: Int

        package init(hex: HexColor, weight: Int) {
            self.hex = hex
            self.weight = weight
        }
    }

    package static let maxEntries = 24
    /// What the weights sum to exactly.
    package static let whole = 10_000

    /// Heaviest first; of equal weights the smaller hex first. Empty where nothing is visible.
    package let entries: [Entry]

    /// The same colors are made one, the weights scaled to `whole`, and what weighs nothing then is left out.
    ///
    /// - Parameter colors: at most `maxEntries` colors and their weights, in any unit.
    init(_ colors: [(hex: HexColor, weight: Double)]) {
        precondition(colors.count <= Self.maxEntries)
        let joined = Dictionary(colors.map { ($0.hex, $0.weight) }, uniquingKeysWith: +)
            .sorted { $0.key < $1.key }
        entries = zip(joined, Self.apportioned(joined.map(\.value)))
            .filter { $1 > 0 }
            .map { Entry(hex: $0.key, weight: $1) }
            .sorted { $0.precedes($1) }
    }

    /// Nil unless they are as `entries` promises.
    init?(entries: [Entry]) {
        guard entries.count <= Self.maxEntries, entries.allSatisfy({ $0.weight > 0 }),
            entries.isEmpty || entries.map(\.weight).reduce(0, +) == Self.whole,
            zip(entries, entries.dropFirst()).allSatisfy({ $0.precedes($1) }),
            Set(entries.map(\.hex)).count == entries.count
        else { return nil }
        self.entries = entries
    }

    /// Integers that sum to `whole`, by largest remainder; of equal remainders the first gets more.
    private static func apportioned(_ weights: [Double]) -> [Int] {
        let sum = weights.reduce(0, +)
        guard sum > 0 else { return weights.map { _ in 0 } }
        let exact = weights.map { $0 / sum * Double(whole) }
        var parts = exact.map { Int($0) }
        let byRemainder = parts.indices.sorted { a, b in
            let (first, second) = (exact[a] - Double(parts[a]), exact[b] - Double(parts[b]))
            return first == second ? a < b : first > second
        }
        for index in byRemainder.prefix(whole - parts.reduce(0, +)) { parts[index] += 1 }
        return parts
    }
}

extension PhotoColorSample.Entry {
    /// The order of every sample and scheme.
    func precedes(_ other: Self) -> Bool {
        weight == other.weight ? hex < other.hex : weight > other.weight
    }
}
