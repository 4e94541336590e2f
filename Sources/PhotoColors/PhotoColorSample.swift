/// The colors of one photo, or of its subject: more than any scheme has, because every scheme is made from them.
///
/// Small enough to store for each photo, so that another number of colors needs no photo.
package struct PhotoColorSample: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package let hex: HexColor
        /// In units of 1 / `whole`; at least one.
        package let weight: Int

        package init(hex: HexColor, weight: Int) {
            self.hex = hex
            self.weight = weight
        }
    }

    package static let maxEntries = 24
    /// The exact sum of all weights.
    package static let whole = 10_000
    /// Of a photo without a visible pixel, or whose colors were not requested.
    package static let empty = PhotoColorSample([])

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

    /// Nil unless `entries` fulfill the conditions of the property.
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
    /// The order of colors in every sample and scheme.
    func precedes(_ other: Self) -> Bool {
        weight == other.weight ? hex < other.hex : weight > other.weight
    }
}

/// Encoded as one string: per entry six hexadecimal digits of color and four of weight, in lower case, without
/// separators.
extension PhotoColorSample: LosslessStringConvertible {
    private static let digits = 10

    /// Nil unless `text` is exactly the `description` of a sample.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count.isMultiple(of: Self.digits), bytes.count <= Self.maxEntries * Self.digits else { return nil }
        var entries: [Entry] = []
        for start in stride(from: 0, to: bytes.count, by: Self.digits) {
            var value: UInt64 = 0
            for byte in bytes[start..<start + Self.digits] {
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(byte - UInt8(ascii: "0"))
                case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
                default: return nil
                }
            }
            let hex = HexColor(
                red: UInt8(truncatingIfNeeded: value >> 32), green: UInt8(truncatingIfNeeded: value >> 24),
                blue: UInt8(truncatingIfNeeded: value >> 16))
            entries.append(Entry(hex: hex, weight: Int(value & 0xffff)))
        }
        self.init(entries: entries)
    }

    package var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(entries.count * Self.digits)
        for entry in entries {
            entry.hex.append(to: &text)
            HexDigits.append(entry.weight, count: 4, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension PhotoColorSample: Codable {
    /// - Throws: `DecodingError` unless it is a string that `init(_:)` accepts.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let sample = PhotoColorSample(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a color sample")
        }
        self = sample
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension PhotoColorSample {
    /// At most `count` colors, which must be in `ColorExtractor.counts`; fewer if there are fewer distinguishable ones.
    ///
    /// Similar colors are merged; no two have the same name or look alike (see `ColorCluster.isLike`). Strong colors
    /// that merging loses get all places but one, the most colorful first (see `ColorAccent`). An unmerged color is
    /// exactly one of the sample's. The gallery's `colors.js` gives the same result.
    package func scheme(count: Int) -> PhotoColorScheme {
        precondition(ColorExtractor.counts.contains(count))
        var clusters = colors.map { ColorCluster([$0]) }
        var listed: [ColorCluster]
        // Ends, because each round adds an accent or exchanges one for a more colorful one.
        repeat {
            listed = clusters
            listed.agglomerate(to: count) { $0.isLike($1) }
        } while ColorAccent.separate(from: &clusters, missingIn: listed, most: count - 1)
        let colors = listed.map { Entry(hex: $0.shown, weight: Int($0.mean.weight)) }
        return PhotoColorScheme(
            colors: colors.sorted { $0.precedes($1) }
                .map { SchemeColor(hex: $0.hex, weight: Double($0.weight) / Double(Self.whole)) })
    }

    private var colors: [WeightedColor] {
        entries.map { WeightedColor(place: OKLab($0.hex), weight: Double($0.weight)) }
    }

    /// The distance below which colors look the same: CSS Color 4 (section 13.2) calls 0.02 just noticeable.
    private static let sameColor = 0.02

    /// Merges colors that look the same, and others until the number is right.
    init(merging colors: [WeightedColor]) {
        var clusters = colors.map { ColorCluster([$0]) }
        clusters.agglomerate(to: Self.maxEntries) {
            $0.mean.place.squaredDistance(to: $1.mean.place) < Self.sameColor * Self.sameColor
        }
        self.init(clusters.map { ($0.shown, $0.mean.weight) })
    }

    /// How often each of the subject's pixels counts among those of its photo.
    private static let subjectEmphasis = 2.5

    /// The sample of a photo in which the subject counts more than its surroundings.
    ///
    /// - Parameters:
    ///   - subject: the sample of the subject alone.
    ///   - share: the part of the photo's weight that is the subject's, 0…1.
    package func emphasizing(_ subject: PhotoColorSample, share: Double) -> PhotoColorSample {
        let extra = (Self.subjectEmphasis - 1) * min(max(share, 0), 1)
        let subjectColors = subject.colors.map { WeightedColor(place: $0.place, weight: $0.weight * extra) }
        return PhotoColorSample(merging: colors + subjectColors.filter { $0.weight > 0 })
    }

    /// The sample of a finished scheme: it gives the same colors for the scheme's own count and any larger one.
    ///
    /// Nil if the colors are no valid scheme, or there are none.
    package init?(_ scheme: PhotoColorScheme) {
        guard 1...Self.maxEntries ~= scheme.colors.count,
            scheme.colors.allSatisfy({ $0.weight > 0 && $0.weight <= 1 })
        else { return nil }
        self.init(scheme.colors.map { ($0.hex, $0.weight) })
    }
}
