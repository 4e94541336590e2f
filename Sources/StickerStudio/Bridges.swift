import PhotoRaster

/// The shortest straight bridges that make one piece of the islands in an outline, so that the sticker holds together
/// when it is cut.
struct Bridges {
    private typealias Point = SIMD2<Float>

    /// The most islands that are joined, those with the longest borders; a picture with more is a pattern.
    private static let mostIslands = 64
    /// The most border pixels of all islands that are compared; of more, every second, third… is taken.
    private static let mostPoints = 4096

    private var spans: [(from: Point, to: Point)] = []
    /// Where bridges may be: a sticker has no room for an outline around one that is outside.
    private var columns = 0..<0
    private var rows = 0..<0

    var isEmpty: Bool { spans.isEmpty }

    /// A minimum spanning tree over the islands (Prim 1957, "Shortest Connection Networks and Some Generalizations").
    ///
    /// - Parameters:
    ///   - islands: what the outline joins.
    ///   - subject: its coverage, in the same size.
    init(between islands: Regions, of subject: Plane) {
        guard islands.count > 1 else { return }
        var borders = Self.borders(of: subject, on: islands)
        guard borders.count > 1, let bounds = subject.bounds(level: 0.5) else { return }
        columns = Int(bounds.x.rounded())..<max(Int((bounds.x + bounds.width).rounded()), Int(bounds.x.rounded()))
        rows = Int(bounds.y.rounded())..<max(Int((bounds.y + bounds.height).rounded()), Int(bounds.y.rounded()))
        // For each island, the shortest span from it to one that is already joined.
        var joined = borders.removeFirst()
        var nearest = [(span: (from: Point, to: Point), distance: Float)](
            repeating: ((.zero, .zero), .infinity), count: borders.count)
        while !borders.isEmpty {
            for index in borders.indices {
                for from in borders[index] {
                    for to in joined {
                        let distance = ((to - from) * (to - from)).sum()
                        if distance < nearest[index].distance { nearest[index] = ((from, to), distance) }
                    }
                }
            }
            guard let next = nearest.indices.min(by: { nearest[$0].distance < nearest[$1].distance }) else { return }
            spans.append(nearest.remove(at: next).span)
            joined = borders.remove(at: next)
        }
    }

    /// The subject's border pixels on each island, the largest number first.
    private static func borders(of subject: Plane, on islands: Regions) -> [[Point]] {
        let inside = BitPlane(of: subject, atLeast: 0.5)
        let border = inside.contour()
        var points = [[Point]](repeating: [], count: islands.count)
        for run in islands.runs {
            for x in run.columns where inside[x, run.row] && border[x, run.row] {
                points[run.region].append(Point(Float(x), Float(run.row)))
            }
        }
        let longest = points.filter { !$0.isEmpty }.sorted { $0.count > $1.count }.prefix(mostIslands)
        let step = longest.reduce(0) { $0 + $1.count } / mostPoints + 1
        return longest.map { border in stride(from: 0, to: border.count, by: step).map { border[$0] } }
    }

    /// Makes the pixels of `plane` opaque that are within half of `thickness` of a bridge.
    func draw(on plane: inout Plane, thickness: Float) {
        for span in spans {
            let (low, high) = (pointwiseMin(span.from, span.to), pointwiseMax(span.from, span.to))
            let step = span.to - span.from
            let length = (step * step).sum()
            let reach = Int(thickness / 2) + 1
            for y in rows.clamped(to: Int(low.y) - reach..<Int(high.y) + reach + 1) {
                for x in columns.clamped(to: Int(low.x) - reach..<Int(high.x) + reach + 1) {
                    let offset = Point(Float(x), Float(y)) - span.from
                    let share = min(max((offset * step).sum() / max(length, 1), 0), 1)
                    let miss = offset - step * share
                    let cover = thickness / 2 + 0.5 - (miss * miss).sum().squareRoot()
                    plane[x, y] = max(plane[x, y], min(cover, 1))
                }
            }
        }
    }
}
