/// The bins of a histogram in groups of similar colors.
///
/// Groups are split one at a time, always the one with the largest squared error, across its widest axis at its mean
/// (Var-Part: Su & Dy 2007, "In Search of Deterministic Methods for Initializing K-Means"), then improved by rounds of
/// Lloyd's algorithm. Deterministic, so a photo and its smaller copy are split alike, and photos with no more colors
/// than groups are separated exactly.
struct ColorPartition {
    /// Bounds the time; further rounds move the means by less than one 8-bit step.
    private static let maxRounds = 8

    private(set) var clusters: [ColorCluster]

    init(_ bins: [ColorHistogram.Bin], into count: Int) {
        guard !bins.isEmpty else {
            clusters = []
            return
        }
        var groups = [Group(bins[...])]
        while groups.count < count, let worst = groups.indices.max(by: { groups[$0].error < groups[$1].error }),
            let (first, second) = groups[worst].split()
        {
            groups[worst] = first
            groups.append(second)
        }
        clusters = groups.map(\.cluster)
        refine(bins)
    }

    /// Assigns each bin to its nearest center and moves each center to the mean of its bins, until nothing changes.
    private mutating func refine(_ bins: [ColorHistogram.Bin]) {
        var owners = [Int](repeating: -1, count: bins.count)
        for _ in 0..<Self.maxRounds {
            var sums = [SIMD3<Double>](repeating: .zero, count: clusters.count)
            var weights = [Double](repeating: 0, count: clusters.count)
            let centers = clusters.map(\.center)
            var hasMoved = false
            for (index, bin) in bins.enumerated() {
                var nearest = 0
                var least = Double.infinity
                for (index, center) in centers.enumerated() {
                    let distance = bin.center.squaredDistance(to: center)
                    if distance < least { (nearest, least) = (index, distance) }
                }
                if owners[index] != nearest { (owners[index], hasMoved) = (nearest, true) }
                sums[nearest] += bin.center.components * bin.weight
                weights[nearest] += bin.weight
            }
            guard hasMoved else { return }
            clusters = zip(sums, weights).filter { $1 > 0 }.map { sum, weight in
                ColorCluster(center: OKLab(sum / weight), weight: weight)
            }
        }
    }

    private struct Group {
        let bins: [ColorHistogram.Bin]
        let cluster: ColorCluster
        /// Summed squared distance to the mean along each axis.
        let errors: SIMD3<Double>

        var error: Double { errors.x + errors.y + errors.z }

        init(_ bins: ArraySlice<ColorHistogram.Bin>) {
            var sum = SIMD3<Double>.zero
            var weight = 0.0
            for bin in bins {
                sum += bin.center.components * bin.weight
                weight += bin.weight
            }
            let mean = sum / weight
            var errors = SIMD3<Double>.zero
            for bin in bins {
                let apart = bin.center.components - mean
                errors += apart * apart * bin.weight
            }
            self.bins = Array(bins)
            self.cluster = ColorCluster(center: OKLab(mean), weight: weight)
            self.errors = errors
        }

        /// Nil if the group cannot be split.
        func split() -> (Group, Group)? {
            guard bins.count > 1 else { return nil }
            let widest = (0..<3).max { errors[$0] < errors[$1] } ?? 0
            let mean = cluster.center.components[widest]
            var bins = bins
            let middle = bins.partition { $0.center.components[widest] > mean }
            guard middle > 0, middle < bins.count else { return nil }
            return (Group(bins[..<middle]), Group(bins[middle...]))
        }
    }
}

/// Merged colors: their mean in OKLab, and their total weight.
struct ColorCluster {
    var center: OKLab
    var weight: Double
}

extension [ColorCluster] {
    /// The distance below which colors look the same: CSS Color 4 (section 13.2) calls 0.02 just noticeable.
    private static var sameColor: Double { 0.02 }

    /// Merges pairs until there are at most `count`, all distinguishable.
    ///
    /// Pairs that look the same are merged first, nearest first, so that near-identical colors do not displace others.
    /// Then the pair with the smallest loss by Ward's criterion (1963), w₁w₂ / (w₁ + w₂) · d², is merged. The gallery's
    /// script takes the same steps in the same order.
    mutating func agglomerate(to count: Int) {
        while self.count > 1 {
            var nearest = (first: 0, second: 1, distance: Double.infinity)
            var cheapest = (first: 0, second: 1, cost: Double.infinity)
            for first in 0..<self.count {
                for second in first + 1..<self.count {
                    let distance = self[first].center.squaredDistance(to: self[second].center)
                    let (a, b) = (self[first].weight, self[second].weight)
                    let cost = a * b / (a + b) * distance
                    if distance < nearest.distance { nearest = (first, second, distance) }
                    if cost < cheapest.cost { cheapest = (first, second, cost) }
                }
            }
            if nearest.distance < Self.sameColor * Self.sameColor {
                join(nearest.first, nearest.second)
            } else if self.count > count {
                join(cheapest.first, cheapest.second)
            } else {
                return
            }
        }
    }

    private mutating func join(_ first: Int, _ second: Int) {
        let weight = self[first].weight + self[second].weight
        let share = self[second].weight / weight
        let way = self[second].center.components - self[first].center.components
        // Multiply and add separately, not fused: JavaScript has no fused multiply-add.
        let step = way * share
        self[first] = ColorCluster(center: OKLab(self[first].center.components + step), weight: weight)
        remove(at: second)
    }
}
