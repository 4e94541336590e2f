/// Merged colors: their mean in OKLab, and their total weight.
struct ColorCluster {
    var center: OKLab
    var weight: Double
}

extension [ColorCluster] {
    /// Colors that are closer than this look the same: CSS Color 4 (section 13.2) calls 0.02 just noticeable.
    private static var sameColor: Double { 0.02 }

    /// Merges pairs until there are at most `count` and all can be distinguished.
    ///
    /// Pairs that look the same are merged first, the nearest before others, so that near-identical colors do not
    /// displace others. Then the pair whose merging loses least by Ward's criterion (1963): w₁w₂ / (w₁ + w₂) · d². The
    /// gallery's script makes the same steps in the same order.
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
        // A separate product and sum, not fused: the script has no fused multiply-add.
        let step = way * share
        self[first] = ColorCluster(center: OKLab(self[first].center.components + step), weight: weight)
        remove(at: second)
    }
}
