/// The colors of one photo, or of its subject, more than any scheme has: every scheme is made from it.
///
/// Small enough to be stored for each photo, and enough to choose another number of colors later without the photo.
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
    /// The exact sum of the weights.
    package static let whole = 10_000

    /// Largest weight first; for equal weights the smaller hex first. Empty if nothing is visible.
    package let entries: [Entry]

    /// Merges equal colors, scales the weights to `whole`, and drops colors whose weight is then zero.
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

    /// Nil unless they fulfill the conditions of `entries`.
    init?(entries: [Entry]) {
        guard entries.count <= Self.maxEntries, entries.allSatisfy({ $0.weight > 0 }),
            entries.isEmpty || entries.map(\.weight).reduce(0, +) == Self.whole,
            zip(entries, entries.dropFirst()).allSatisfy({ $0.precedes($1) }),
            Set(entries.map(\.hex)).count == entries.count
        else { return nil }
        self.entries = entries
    }

    /// Integers that sum to `whole`, by largest remainder; for equal remainders the first gets more.
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
