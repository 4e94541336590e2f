package import PhotoRaster

/// The die-cut band around a subject: all that lies within `width` of it, with round corners and a smooth rim.
///
/// The band is a union of discs, one around each pixel next to the subject's contour, the contour being where alpha
/// crosses one half between pixels. A pixel that lies `offset` outside of the contour gets a disc of radius
/// `width - offset`, so that every disc ends `width` beyond the contour. Whether a point lies in the union, and how far
/// from its rim, is one distance transform of the cost `width² - radius²`. The rim lies within a tenth of a pixel of
/// where it should at any slope.
package struct Outline {
    private let width: Float

    /// In pixels, at least 1.
    package init(width: Int) {
        self.width = Float(width)
    }

    /// How much of each pixel the band or the subject covers, 0…1.
    package func shape(around picture: Raster) -> Plane {
        let alpha = Plane(
            width: picture.width, height: picture.height,
            values: (0..<picture.width * picture.height).map { Float(picture.pixels[$0 * Raster.channels + 3]) / 255 })
        var field = alpha
        for y in 0..<alpha.height {
            for x in 0..<alpha.width {
                field[x, y] = contourOffset(of: alpha, x: x, y: y).map(cost) ?? .infinity
            }
        }
        field.distanceTransform()
        for index in field.values.indices {
            let distance = max(field.values[index], 0).squareRoot()
            field.values[index] = min(max(width + 0.5 - distance, 0), 1)
        }
        return field
    }

    private func cost(ofOffset offset: Float) -> Float {
        let radius = max(width - offset, 0)
        return width * width - radius * radius
    }

    /// How far outside of the contour the pixel's center lies, negative inside; nil outside and not next to it.
    ///
    /// The contour passes the pixel as the straight line through its nearest crossings of the grid lines across and
    /// down. A crossing counts for the nearer of the two pixels it lies between; the other knows too little of the
    /// contour's slope.
    private func contourOffset(of alpha: Plane, x: Int, y: Int) -> Float? {
        let value = alpha[x, y]
        let isInside = value >= 0.5
        func crossing(_ neighbor: Float) -> Float {
            (neighbor >= 0.5) == isInside ? .infinity : (0.5 - value) / (neighbor - value)
        }
        // Beyond the picture everything is transparent.
        let across = min(
            crossing(x > 0 ? alpha[x - 1, y] : 0), crossing(x + 1 < alpha.width ? alpha[x + 1, y] : 0))
        let down = min(
            crossing(y > 0 ? alpha[x, y - 1] : 0), crossing(y + 1 < alpha.height ? alpha[x, y + 1] : 0))
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

    /// No pixel inside is nearer to the contour than this where it has no crossing nearby: half a pixel both across and
    /// down from a diagonal contour.
    private static let insideOffset: Float = -0.35
}
