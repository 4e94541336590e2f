package import PhotoRaster

/// The line that a plotter cuts a sticker along: where its shape covers half a pixel.
///
/// Found by marching squares (Lorensen and Cline, SIGGRAPH 1987, in two dimensions), and reduced by the algorithm of
/// Douglas and Peucker (Cartographica, 1973). libpotrace traces pictures without levels between inside and outside, and
/// is under the GPL.
package struct CutPath: Codable, Hashable, Sendable {
    /// Each contour is closed, and has the x and y of its points in turn, in hundredths of a pixel of the sticker from
    /// its top left corner. The largest is first; holes have contours, too.
    package let contours: [[Int]]

    private static let level: Float = 0.5
    private static let unit: Float = 100
    /// How far the line may be from the shape's, in hundredths of a pixel; more if it would have too many points.
    private static let tolerances: [Float] = [8, 32, 128, 512, 2048]
    /// Contours of less than this area, in square pixels, are left out: no knife turns in them.
    private static let leastArea: Float = 4
    /// A line around an outline has a few hundred.
    private static let maxNumbers = 16_000

    /// - Parameter shape: the fraction of each pixel of the sticker that it covers, 0…1.
    package init(around shape: Plane) {
        let traced = Self.traced(shape)
            .map { (points: $0, area: Self.area(of: $0)) }
            .filter { $0.area >= Self.leastArea * Self.unit * Self.unit }
            .sorted { $0.area > $1.area }
        var found: [[Int]] = []
        for tolerance in Self.tolerances {
            found = traced.map { contour in
                Self.reduced(contour.points, tolerance).flatMap { [Int($0.x.rounded()), Int($0.y.rounded())] }
            }
            if found.joined().count <= Self.maxNumbers { break }
        }
        var rest = Self.maxNumbers
        contours = Array(
            found.prefix { numbers in
                rest -= numbers.count
                return rest >= 0
            })
    }

    /// Whether it can be the path of a sticker of this size, in pixels: a worker may be compromised.
    package func isWithin(width: Int, height: Int) -> Bool {
        let (right, bottom) = (width * Int(Self.unit), height * Int(Self.unit))
        return contours.reduce(0) { $0 + $1.count } <= Self.maxNumbers
            && contours.allSatisfy { numbers in
                numbers.count >= 6 && numbers.count % 2 == 0
                    && numbers.indices.allSatisfy { (0...($0 % 2 == 0 ? right : bottom)).contains(numbers[$0]) }
            }
    }

    /// The `d` of an SVG path, in pixels.
    package var svg: String {
        contours.map { numbers in
            let points = stride(from: 0, to: numbers.count, by: 2).map {
                "\(Self.decimal(numbers[$0])) \(Self.decimal(numbers[$0 + 1]))"
            }
            return "M\(points.joined(separator: "L"))Z"
        }.joined()
    }

    private static func decimal(_ hundredths: Int) -> String {
        let rest = hundredths % 100
        return "\(hundredths / 100)" + (rest == 0 ? "" : rest < 10 ? ".0\(rest)" : ".\(rest)")
    }

    /// Closed contours, in hundredths of a pixel.
    private static func traced(_ shape: Plane) -> [[SIMD2<Float>]] {
        let grid = Grid(shape)
        var next = grid.segments(level)
        var contours: [[SIMD2<Float>]] = []
        // In a fixed order, so that the same shape gives the same path.
        for start in next.keys.sorted() {
            var contour: [SIMD2<Float>] = []
            var edge = start
            while let following = next.removeValue(forKey: edge) {
                contour.append(grid.crossing(of: edge, level) * unit)
                edge = following
            }
            if contour.count >= 3 { contours.append(contour) }
        }
        return contours
    }

    /// The same closed contour with as few points as `tolerance` allows.
    private static func reduced(_ contour: [SIMD2<Float>], _ tolerance: Float) -> [SIMD2<Float>] {
        let far = contour.indices.max { length(contour[$0] - contour[0]) < length(contour[$1] - contour[0]) } ?? 0
        let closed = contour + [contour[0]]
        var isKept = [Bool](repeating: false, count: closed.count)
        var parts = [(0, far), (far, contour.count)]
        while let (first, last) = parts.popLast() {
            (isKept[first], isKept[last]) = (true, true)
            let along = closed[last] - closed[first]
            let long = length(along)
            func distance(_ index: Int) -> Float {
                let offset = closed[index] - closed[first]
                return long > 0 ? abs(along.x * offset.y - along.y * offset.x) / long : length(offset)
            }
            guard last > first + 1, let middle = (first + 1..<last).max(by: { distance($0) < distance($1) }),
                distance(middle) > tolerance
            else { continue }
            parts += [(first, middle), (middle, last)]
        }
        let kept = contour.indices.filter { isKept[$0] }.map { contour[$0] }
        return kept.count >= 3 ? kept : contour
    }

    private static func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }

    /// By the shoelace formula.
    private static func area(of contour: [SIMD2<Float>]) -> Float {
        abs(
            zip(contour, contour.dropFirst() + contour.prefix(1)).reduce(0) {
                $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y)
            }) / 2
    }
}

/// The centers of a shape's pixels, and a row of empty ones around, so that contours are closed.
private struct Grid {
    private let shape: Plane
    private let width: Int
    private let height: Int

    init(_ shape: Plane) {
        self.shape = shape
        (width, height) = (shape.width + 2, shape.height + 2)
    }

    private func value(_ x: Int, _ y: Int) -> Float {
        1..<width - 1 ~= x && 1..<height - 1 ~= y ? shape[x - 1, y - 1] : 0
    }

    /// From each edge that a contour crosses to the next one. An edge's number is twice that of its upper or left
    /// end, and one more if it goes down.
    func segments(_ level: Float) -> [Int: Int] {
        var next: [Int: Int] = [:]
        for y in 0..<height - 1 {
            for x in 0..<width - 1 {
                let isIn = (
                    value(x, y) >= level, value(x + 1, y) >= level, value(x + 1, y + 1) >= level,
                    value(x, y + 1) >= level
                )
                if isIn.0 == isIn.1, isIn.1 == isIn.2, isIn.2 == isIn.3 { continue }
                let corners = [isIn.0, isIn.1, isIn.2, isIn.3]
                let here = 2 * (y * width + x)
                let edges = [here, here + 3, here + 2 * width, here + 1]
                // Clockwise, each run of corners inside is cut off from where it ends to where it begins, which is
                // where the contour leaves and enters.
                for corner in 0..<4 where corners[corner] && !corners[(corner + 1) % 4] {
                    var first = corner
                    while corners[(first + 3) % 4] { first = (first + 3) % 4 }
                    next[edges[corner]] = edges[(first + 3) % 4]
                }
            }
        }
        return next
    }

    /// Where a contour crosses an edge, in pixels of the shape.
    func crossing(of edge: Int, _ level: Float) -> SIMD2<Float> {
        let (x, y) = (edge / 2 % width, edge / 2 / width)
        let isDown = edge % 2 == 1
        let (near, far) = (value(x, y), isDown ? value(x, y + 1) : value(x + 1, y))
        let share = (level - near) / (far - near)
        return SIMD2(Float(x) - 0.5, Float(y) - 0.5) + (isDown ? SIMD2(0, share) : SIMD2(share, 0))
    }
}
