/// The bins of a histogram in groups of similar colors.
///
/// Groups are split one at a time, always the one with the largest squared error, across its widest axis at its mean
/// (Var-Part: Su & Dy 2007, "In Search of Deterministic Methods for Initializing K-Means"), then improved by rounds of
/// Lloyd's algorithm. Deterministic, so a photo and its smaller copy are split alike, and photos with no more colors
/// than groups are separated exactly.
struct ColorPartition {
    /// Bounds the time; further rounds move the means by less than one 8-bit step.
    private static let maxRounds = 8

    private(set) var clusters: [WeightedColor]

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
            let centers = clusters.map(\.place)
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
                WeightedColor(place: OKLab(sum / weight), weight: weight)
            }
        }
    }

    private struct Group {
        let bins: [ColorHistogram.Bin]
        let cluster: WeightedColor
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
            self.cluster = WeightedColor(place: OKLab(mean), weight: weight)
            self.errors = errors
        }

        /// Nil if the group cannot be split.
        func split() -> (Group, Group)? {
            guard bins.count > 1 else { return nil }
            let widest = (0..<3).max { errors[$0] < errors[$1] } ?? 0
            let mean = cluster.place.components[widest]
            var bins = bins
            let middle = bins.partition { $0.center.components[widest] > mean }
            guard middle > 0, middle < bins.count else { return nil }
            return (Group(bins[..<middle]), Group(bins[middle...]))
        }
    }
}
