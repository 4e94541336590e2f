import PhotoRaster

/// Distances to the contour of an antialiased shape, the contour being where its coverage crosses one half between
/// pixels.
///
/// One distance to the contour, `radius`, is exact to within a tenth of a pixel at any slope; nearby ones are nearly so.
/// All points within `radius` of the shape are a union of discs, one around each pixel next to the contour. A pixel that
/// lies `offset` outside of the contour gets a disc of radius `radius - offset`, so that every disc ends `radius` beyond
/// the contour. The union is one distance transform of the cost `radius² - (radius - offset)²`.
struct ContourDistance {
    private let radius: Float

    /// - Parameter radius: in pixels.
    init(exactAt radius: Float) {
        self.radius = radius
    }

    /// How far outside of the contour each pixel's center lies; about 0 inside. Infinite if `coverage`, 0…1, has no
    /// contour. Beyond the plane coverage counts as 0.
    func distances(from coverage: Plane) -> Plane {
        var field = coverage
        for y in 0..<coverage.height {
            for x in 0..<coverage.width {
                field[x, y] = offset(of: coverage, x: x, y: y).map(cost) ?? .infinity
            }
        }
        field.distanceTransform()
        for index in field.values.indices { field.values[index] = max(field.values[index], 0).squareRoot() }
        return field
    }

    private func cost(ofOffset offset: Float) -> Float {
        let disc = max(radius - offset, 0)
        return radius * radius - disc * disc
    }

    /// How far outside of the contour the pixel's center lies, negative inside; nil outside and not next to it.
    ///
    /// The contour passes the pixel as the straight line through its nearest crossings of the grid lines across and
    /// down. A crossing counts for the nearer of the two pixels it lies between; for the other, the contour's slope is
    /// too uncertain.
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

    /// The offset of pixels inside that have no crossing nearby. None is nearer to the contour than this: half a pixel
    /// both across and down from a diagonal contour.
    private static let insideOffset: Float = -0.35
}
