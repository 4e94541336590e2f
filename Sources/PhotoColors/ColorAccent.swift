/// The accent of a scheme: a strong color that covers little, such as flowers before a gray wall. Merging loses it,
/// because a merged color is dominated by what covers most.
enum ColorAccent {
    /// The least weight of an accent with the colors that look like it, in the units of a sample.
    private static let leastWeight = 0.01 * Double(PhotoColorSample.whole)
    /// Below this distance, colors count as shades of one accent.
    private static let shade = 0.06
    /// The least chroma. The noise of a gray photo stays below it.
    private static let leastChroma = 0.08
    /// A color is missing if no listed one has this share of its chroma in the direction of its hue.
    private static let listedShare = 0.6

    /// The color with the most chroma that is missing among the listed ones; nil if there is none.
    ///
    /// - Parameters:
    ///   - colors: of a sample; of equally strong ones, the first is chosen.
    ///   - listed: the same colors merged to a scheme's number.
    ///   - least: the strength of the accent before, 0 for the first one.
    /// - Returns: its index, and its strength, the square of its chroma.
    static func missing(
        among colors: [ColorCluster], listed: [ColorCluster], strongerThan least: Double
    ) -> (index: Int, strength: Double)? {
        var best: (index: Int, strength: Double)?
        for (index, color) in colors.enumerated() {
            let own = strength(color.center)
            guard own >= leastChroma * leastChroma, own > best?.strength ?? least,
                !listed.contains(where: { dot($0.center, color.center) >= listedShare * own }),
                weight(around: color.center, of: colors) >= leastWeight
            else { continue }
            best = (index, own)
        }
        return best
    }

    private static func weight(around center: OKLab, of colors: [ColorCluster]) -> Double {
        colors.reduce(0) { sum, other in
            center.squaredDistance(to: other.center) < shade * shade ? sum + other.weight : sum
        }
    }

    /// The square of the chroma.
    private static func strength(_ color: OKLab) -> Double { dot(color, color) }

    private static func dot(_ first: OKLab, _ second: OKLab) -> Double {
        first.components.y * second.components.y + first.components.z * second.components.z
    }
}
