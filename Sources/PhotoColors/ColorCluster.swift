/// Samples that look alike: their mean, and how many they are.
struct ColorCluster {
    var center: OKLab
    var size: Int
}

extension [ColorCluster] {
    /// Joins the two nearest clusters, again and again, until all are at least `distance` apart.
    mutating func mergeNearest(within distance: Float) {
        while let (first, second) = nearestPair(within: distance) {
            let size = self[first].size + self[second].size
            let share = Float(self[second].size) / Float(size)
            self[first].center.components +=
                (self[second].center.components - self[first].center.components) * share
            self[first].size = size
            remove(at: second)
        }
    }

    private func nearestPair(within distance: Float) -> (Int, Int)? {
        var least = distance * distance
        var pair: (Int, Int)?
        for first in indices {
            for second in indices.dropFirst(first + 1) {
                let apart = self[first].center.squaredDistance(to: self[second].center)
                if apart < least { (least, pair) = (apart, (first, second)) }
            }
        }
        return pair
    }
}
