import PhotoRaster

/// Distances to the contour of an antialiased shape: the line on which its coverage, interpolated between pixels, is
/// one half.
///
/// The distance `radius` is exact to within a tenth of a pixel at any slope, and nearby distances nearly so. All points
/// within `radius` of the shape are a union of discs, one around each pixel next to the contour. A pixel that lies
/// `offset` outside the contour gets a disc of radius `radius - offset`, so that every disc ends `radius` beyond the
/// contour. The union is one distance transform of the cost `radius² - (radius - offset)²`, computed only outside the
/// shape and up to `reach`.
struct ContourDistance {
    private let radius: Float
    private let reach: Float

    /// - Parameters:
    ///   - radius: in pixels.
    ///   - reach: the largest distance computed, in pixels.
    init(exactAt radius: Float, reach: Float) {
        self.radius = radius
        self.reach = reach
    }

    /// The distance of each pixel's center outside the contour, in pixels: 0 inside, infinite beyond the reach.
    ///
    /// - Parameters:
    ///   - coverage: 0…1; pixels beyond the plane count as 0.
    ///   - inside: the pixels whose `coverage` is at least one half.
    func distances(from coverage: Plane, inside: BitPlane) -> Plane {
        let (width, height) = (coverage.width, coverage.height)
        var field = Plane(width: width, height: height, filledWith: .infinity)
        var envelope = ParabolaEnvelope(capacity: max(width, height))
        let contour = inside.contour()
        let interior = inside.subtracting(contour)
        var values = field.values.mutableSpan
        // Rows first: only along rows are the sources known without a search.
        for y in 0..<height {
            envelope.reset()
            contour.forEachRun(inRow: y) { run in
                for x in run {
                    guard let offset = offset(of: coverage, x: x, y: y) else { continue }
                    envelope.add(vertex: x, height: cost(ofOffset: offset))
                }
            }
            envelope.evaluate(upTo: width, reach: reach) { x, value in
                // No shortest path to a contour crosses the shape, but it may start at its border.
                if !interior[x, y] { values[y * width + x] = value }
            }
        }
        for x in 0..<width {
            envelope.reset()
            for y in 0..<height {
                let value = values[y * width + x]
                if value < .infinity { envelope.add(vertex: y, height: value) }
            }
            envelope.evaluate(upTo: height, reach: reach) { y, value in
                values[y * width + x] = max(value, 0).squareRoot()
            }
        }
        for y in 0..<height {
            inside.forEachRun(inRow: y) { run in for x in run { values[y * width + x] = 0 } }
        }
        return field
    }

    private func cost(ofOffset offset: Float) -> Float {
        let disc = max(radius - offset, 0)
        return radius * radius - disc * disc
    }

    /// The signed distance of the pixel's center from the contour, positive outside; nil for outside pixels not next to
    /// it.
    ///
    /// Near the pixel, the contour is approximated by the straight line through its nearest crossings with the grid
    /// lines. A crossing counts for the nearer of the two pixels it lies between; for the other, the slope is too
    /// uncertain.
    private func offset(of coverage: Plane, x: Int, y: Int) -> Float? {
        let index = y * coverage.width + x
        let values = coverage.values.span
        let value = values[index]
        let isInside = value >= 0.5
        let left = x > 0 ? values[index - 1] : 0
        let right = x + 1 < coverage.width ? values[index + 1] : 0
        let above = y > 0 ? values[index - coverage.width] : 0
        let below = y + 1 < coverage.height ? values[index + coverage.width] : 0
        if !isInside, max(max(left, right), max(above, below)) < 0.5 { return nil }
        if isInside, min(min(left, right), min(above, below)) >= 0.5 { return Self.insideOffset }
        func crossing(_ neighbor: Float) -> Float {
            (neighbor >= 0.5) == isInside ? .infinity : (0.5 - value) / (neighbor - value)
        }
        let across = min(crossing(left), crossing(right))
        let down = min(crossing(above), crossing(below))
        guard min(across, down) <= 0.5 else { return isInside ? Self.insideOffset : nil }
        let distance: Float =
            if !across.isFinite {
                down
            } else if !down.isFinite {
                across
            } else {
                across * down / max((across * across + down * down).squareRoot(), .ulpOfOne)
            }
        return isInside ? -distance : distance
    }

    /// The offset assumed for inside pixels without a crossing nearby. The closest contour possible is a diagonal one,
    /// half a pixel away both across and down: 0.5 / √2.
    private static let insideOffset: Float = -0.35
}
