/// The accents of a scheme: strong colors that cover little, such as flowers before a gray wall. Merging loses them,
/// because a merged color is dominated by what covers most.
enum ColorAccent {
    /// The least weight of an accent, in the units of a sample: 2 % of a photo that is nearly all subject.
    private static let leastWeight = 0.008 * Double(PhotoColorSample.whole)
    /// Below this distance, colors count as shades of one accent.
    private static let shade = 0.08
    /// The least chroma. The noise of a gray photo stays below it.
    private static let leastChroma = 0.08
    /// A color is missing if no listed one of about its hue, to 30 degrees, has this share of its chroma in that
    /// direction.
    private static let (listedShare, leastHueCosine) = (0.6, 0.87)

    /// Makes the most colorful one that is missing among the listed ones an accent together with its shades. If there
    /// is no place left, the least colorful accent gives up its own, unless it is more colorful.
    ///
    /// - Parameters:
    ///   - clusters: the colors of a sample, and earlier accents.
    ///   - listed: the same colors merged to a scheme's number.
    ///   - most: the places for accents.
    /// - Returns: whether there is a new accent.
    static func separate(from clusters: inout [ColorCluster], missingIn listed: [ColorCluster], most: Int) -> Bool {
        let places = listed.map { OKLab($0.shown) }
        let missing = clusters.filter { color in
            !color.isAccent && color.mean.place.chroma >= leastChroma
                && !places.contains { isListed(color.mean.place, as: $0) }
                && weight(of: clusters.filter { isShade($0, of: color) }) >= leastWeight
        }
        guard let accent = missing.max(by: { $0.greatestChroma < $1.greatestChroma }) else { return false }
        let accents = clusters.indices.filter { clusters[$0].isAccent }
        let least = accents.min { clusters[$0].greatestChroma < clusters[$1].greatestChroma }
        if accents.count == most, let least {
            guard clusters[least].greatestChroma < accent.greatestChroma else { return false }
            clusters += clusters.remove(at: least).members.map { ColorCluster([$0]) }
        }
        let shades = clusters.filter { isShade($0, of: accent) }
        clusters.removeAll { isShade($0, of: accent) }
        clusters.append(ColorCluster(shades.flatMap(\.members), isAccent: true))
        return true
    }

    private static func isListed(_ color: OKLab, as listed: OKLab) -> Bool {
        let (a, b) = (color.components, listed.components)
        let product = a.y * b.y + a.z * b.z
        return product >= listedShare * (color.chroma * color.chroma)
            && product >= leastHueCosine * (color.chroma * listed.chroma)
    }

    private static func isShade(_ other: ColorCluster, of color: ColorCluster) -> Bool {
        !other.isAccent && other.mean.place.squaredDistance(to: color.mean.place) < shade * shade
    }

    private static func weight(of clusters: [ColorCluster]) -> Double {
        clusters.reduce(0) { $0 + $1.mean.weight }
    }
}
