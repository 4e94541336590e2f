import PhotoRaster

/// Holes whose entrance an outline's closing has closed.
///
/// A knife that cannot turn into a channel cannot cut the hole behind it either. So a narrow pocket is filled; a wide
/// one, whose shape is essential, gets its channel back, where only the band counts. A hole that the band itself
/// encloses, such as that of a ring, is no pocket and stays.
struct Pockets {
    /// A pocket is narrow if no disc of this radius fits into it, in radii of the closing. At 1 there are no pockets:
    /// the closing fills them.
    private static let wide: Float = 2
    /// The width of the narrowest channel that is cut, as a fraction of the outline's width.
    private static let channel: Float = 0.5

    private let width: Float
    private let radius: Float

    /// - Parameters:
    ///   - width: of the outline, in pixels.
    ///   - radius: of the closing, in pixels.
    init(width: Float, radius: Float) {
        self.width = width
        self.radius = radius
    }

    /// Far inside any shape; finite, so that interpolating it with its negative is defined.
    private static let deep: Float = 10_000

    /// Sets `closed` to a very large value in filled pockets and a very small one in open channels.
    ///
    /// - Parameters:
    ///   - closed: at half the resolution, the distance in full pixels by which each pixel lies inside the closed
    ///     shape; negative outside.
    ///   - distance: the distance to the subject, in the same units.
    func apply(to closed: inout Plane, distance: Plane) {
        let (columns, rows) = (closed.width, closed.height)
        let band = BitPlane(width: columns, height: rows) { distance.values[$0] <= width }
        let open = BitPlane(width: columns, height: rows) { closed.values[$0] < 0 }.subtracting(band)
        let regions = Regions(of: open, diagonal: false)
        let isHole = regions.areEnclosed
        guard isHole.contains(true) else { return }

        // 0 for closed pixels, 1 for regions that touch the plane's border, and a higher number for each hole.
        var labels = [Int](repeating: 0, count: closed.values.count)
        for run in regions.runs {
            for index in run.pixels { labels[index] = isHole[run.region] ? run.region + 2 : 1 }
        }
        let pockets = pockets(among: labels, distance: distance)
        guard !pockets.isEmpty else { return }

        let closings = Regions(
            of: BitPlane(width: columns, height: rows) { labels[$0] == 0 }.subtracting(band), diagonal: true)
        var neighbors = [Set<Int>](repeating: [], count: closings.count)
        for run in closings.runs {
            for index in run.pixels {
                for near in [index - 1, index + 1, index - columns, index + columns]
                where labels.indices.contains(near) && labels[near] > 0 {
                    neighbors[run.region].insert(labels[near])
                }
            }
        }
        var kept = widest(pockets, labels: labels, distance: distance)
        var channels: Set<Int> = []
        var isGrowing = !kept.isEmpty
        while isGrowing {
            let more = neighbors.indices.filter {
                !channels.contains($0) && neighbors[$0].count > 1 && !neighbors[$0].isDisjoint(with: kept)
            }
            channels.formUnion(more)
            for closing in more { kept.formUnion(neighbors[closing].subtracting([1])) }
            isGrowing = !more.isEmpty
        }
        for run in closings.runs where channels.contains(run.region) {
            for index in run.pixels { closed.values[index] = -Self.deep }
        }
        fill(pockets.subtracting(kept), labels: labels, &closed)
    }

    /// The labels of holes connected to the outside by a channel between the bands of the subject's sides.
    private func pockets(among labels: [Int], distance: Plane) -> Set<Int> {
        let free = BitPlane(width: distance.width, height: distance.height) {
            distance.values[$0] > width * (1 + Self.channel / 2)
        }
        let regions = Regions(of: free, diagonal: false)
        let isEnclosed = regions.areEnclosed
        var result: Set<Int> = []
        for run in regions.runs where !isEnclosed[run.region] {
            for index in run.pixels where labels[index] > 1 { result.insert(labels[index]) }
        }
        return result
    }

    /// Those of `pockets` that are wide.
    private func widest(_ pockets: Set<Int>, labels: [Int], distance: Plane) -> Set<Int> {
        var room = Plane(
            width: distance.width, height: distance.height,
            values: distance.values.map { $0 <= width ? 0 : .infinity })
        room.distanceTransform()
        // In squared pixels of the planes, each of which covers two full pixels.
        let least = Self.wide * Self.wide * radius * radius / 4
        return Set(labels.indices.filter { labels[$0] > 1 && room.values[$0] >= least }.map { labels[$0] })
            .intersection(pockets)
    }

    /// Fills pockets and the soft borders around them.
    private func fill(_ pockets: Set<Int>, labels: [Int], _ closed: inout Plane) {
        guard !pockets.isEmpty else { return }
        let width = closed.width
        for index in labels.indices where pockets.contains(labels[index]) {
            for row in [index - 2 * width, index - width, index, index + width, index + 2 * width] {
                for near in row - 2...row + 2 where labels.indices.contains(near) {
                    if labels[near] == 0 || pockets.contains(labels[near]) { closed.values[near] = Self.deep }
                }
            }
        }
    }
}
