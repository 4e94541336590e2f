/// One of a cluster.
struct WeightedColor {
    let place: OKLab
    let weight: Double
}

/// Colors that are shown as one. The gallery's `clusters.js` shows and merges them alike.
struct ColorCluster {
    /// The most colorful first.
    let members: [WeightedColor]
    /// An accent has a place in its scheme (see `ColorAccent`).
    let isAccent: Bool
    let mean: WeightedColor
    /// What stands for the cluster: the mean of a gray one; of a colorful one or an accent, a color as vivid as its
    /// vivid members.
    let shown: HexColor
    private let name: String
    private let look: CIELab

    /// The mean of this share with the most chroma has about the 85th percentile of it.
    private static let vividShare = 0.3
    /// A cluster whose mean has less chroma than the first is gray; one with more than the second is not.
    private static let (grayChroma, colorfulChroma) = (0.04, 0.08)
    /// In CIEDE2000: closer colors look like one in a row of swatches. The hundredth is for the rounding of `CIELab`.
    private static let leastDifference = 10.01

    /// The OKLab chroma of its most colorful member.
    var greatestChroma: Double { members.first?.place.chroma ?? 0 }

    init(_ colors: [WeightedColor], isAccent: Bool = false) {
        members = colors.enumerated().sorted {
            let (first, second) = ($0.element.place.chroma, $1.element.place.chroma)
            return first == second ? $0.offset < $1.offset : first > second
        }.map(\.element)
        self.isAccent = isAccent
        mean = members.mean
        let vivid = members.first(Self.vividShare * mean.weight).mean
        let chroma = mean.place.chroma
        let share = isAccent ? 1 : min(max((chroma - Self.grayChroma) / (Self.colorfulChroma - Self.grayChroma), 0), 1)
        let way = vivid.place.components - mean.place.components
        let step = way * share
        shown = OKLab(mean.place.components + step).color
        name = ColorLexicon.nearest(to: shown)
        look = CIELab(shown)
    }

    /// Whether a scheme may not have both: they look alike, or have the same name.
    func isLike(_ other: Self) -> Bool {
        name == other.name || look.difference(to: other.look) < Self.leastDifference
    }
}

extension [ColorCluster] {
    /// Merges pairs for which `isAlike` is true, then others, until there are at most `count`; of these and of those,
    /// the pair with the smallest loss by Ward's criterion (1963), w₁w₂ / (w₁ + w₂) · d².
    ///
    /// Pairs that look alike are merged first so that they do not displace others. Accents are merged only with colors
    /// that look like them.
    mutating func agglomerate(to count: Int, merging isAlike: (ColorCluster, ColorCluster) -> Bool) {
        while let (first, second) = cheapest(where: isAlike)
            ?? (self.count > count ? cheapest { !$0.isAccent && !$1.isAccent } : nil)
        {
            self[first] = ColorCluster(
                self[first].members + self[second].members, isAccent: self[first].isAccent || self[second].isAccent)
            remove(at: second)
        }
    }

    private func cheapest(where canMerge: (ColorCluster, ColorCluster) -> Bool) -> (Int, Int)? {
        var cheapest: (pair: (Int, Int), cost: Double)?
        for first in indices {
            for second in first + 1..<Swift.max(count, first + 1) {
                let (a, b) = (self[first].mean, self[second].mean)
                let cost = a.weight * b.weight / (a.weight + b.weight) * a.place.squaredDistance(to: b.place)
                if cost < cheapest?.cost ?? .infinity, canMerge(self[first], self[second]) {
                    cheapest = ((first, second), cost)
                }
            }
        }
        return cheapest?.pair
    }
}

extension [WeightedColor] {
    /// Their mean in OKLab, and their total weight.
    fileprivate var mean: WeightedColor {
        var sum = SIMD3<Double>.zero
        var weight = 0.0
        for color in self {
            // Multiply and add separately, not fused: JavaScript has no fused multiply-add.
            let part = color.place.components * color.weight
            sum += part
            weight += color.weight
        }
        return WeightedColor(place: OKLab(sum / weight), weight: weight)
    }

    /// The first ones, up to this weight; of the last one of them, only a part may count.
    fileprivate func first(_ weight: Double) -> Self {
        var left = weight
        var found: Self = []
        for color in self where left > 0 {
            found.append(WeightedColor(place: color.place, weight: Swift.min(color.weight, left)))
            left -= color.weight
        }
        return found
    }
}
