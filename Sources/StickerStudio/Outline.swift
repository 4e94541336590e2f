internal import CRasterLoops
package import PhotoRaster

/// The die-cut band around a subject: everything within `width` of it, with notches closed as if cut by a knife that
/// cannot turn sharply.
///
/// The band is a morphological closing: the subject is dilated by `width` and `closing` × `width`, then eroded by the
/// latter. Convex corners keep their shape; concave ones are rounded. Both steps use distances to a contour
/// (`ContourDistance`). Holes whose entrance was closed are filled or reopened (`Pockets`).
package struct Outline {
    /// The radius to which notches are rounded, in outline widths.
    private static let closing: Float = 1.5
    /// Notches are filled this many pixels less deep: more than the error of the second step, which runs at half the
    /// resolution. Elsewhere only the exact band counts.
    private static let slack: Float = 0.5

    /// How far beyond a contour distances are needed, in pixels: it is antialiased at half the resolution.
    private static let blur: Float = 4

    private let width: Float

    /// In pixels, at least 1.
    package init(width: Int) {
        self.width = Float(width)
    }

    /// The fraction of each pixel that band or subject cover, 0…1.
    package func shape(around picture: Raster) -> Plane {
        let radius = width * Self.closing
        // The dilated subject reaches beyond the picture, and its contour needs a pixel around it.
        let room = Int(radius.rounded(.up)) + 2
        var coverage = Plane(alphaOf: picture, room: room)
        var inside = BitPlane(of: coverage, atLeast: 0.5)
        coverage.hideSpurs(shorterThan: Int(width), inside: &inside)
        let distance = ContourDistance(exactAt: width, reach: width + radius + Self.blur)
            .distances(from: coverage, inside: inside)
        // Half the resolution is enough for the erosion: a shape dilated that far has no detail.
        let halved = Plane(half: distance)
        var far = halved
        for index in far.values.indices {
            far.values[index] = min(max((halved.values[index] - width - radius) / 2 + 0.5, 0), 1)
        }
        var closed = ContourDistance(exactAt: radius / 2, reach: (radius + Self.blur) / 2)
            .distances(from: far, inside: BitPlane(of: far, atLeast: 0.5))
        for index in closed.values.indices { closed.values[index] = 2 * closed.values[index] - radius - Self.slack }
        Pockets(width: width, radius: radius).apply(to: &closed, distance: halved)
        var shape = Plane(width: picture.width, height: picture.height)
        var target = shape.values.mutableSpan
        let distances = distance.values.span
        let closings = closed.values.span
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let band = width - distances[(y + room) * distance.width + x + room] + 0.5
                let value: Float
                if band >= 1 {
                    value = 1
                } else if closings[(y + room) / 2 * closed.width + (x + room) / 2] < -Self.blur {
                    // Interpolated values reach no farther than this.
                    value = band
                } else {
                    value = min(max(band, closed.interpolatedDouble(x: x + room, y: y + room) + 0.5), 1)
                }
                if value > 0 { target[y * picture.width + x] = value }
            }
        }
        return shape
    }
}

extension Plane {
    /// The picture's alpha, 0…1, with `room` empty pixels around.
    ///
    /// Coverage that reaches one half nowhere, such as that of fine strokes made small, is scaled to a maximum of 1.
    /// Otherwise it would have no contour, and an outline would erase it.
    fileprivate init(alphaOf picture: Raster, room: Int) {
        self.init(width: picture.width + 2 * room, height: picture.height + 2 * room)
        let width = width
        let pixels = picture.pixels.span
        // Row `y` has `picture.width` pixels of four bytes, and begins `room` values after its row here.
        unsafe values.withUnsafeMutableBufferPointer { values in
            unsafe pixels.withUnsafeBufferPointer { pixels in
                guard let from = pixels.baseAddress, let to = values.baseAddress else { return }
                let peak = unsafe raster_peak_alpha(from, picture.width * picture.height)
                let scale = 1 / Float(0..<128 ~= peak ? max(peak, 1) : 255)
                for y in 0..<picture.height {
                    unsafe raster_alpha_row(
                        from + y * picture.width * Raster.channels, picture.width, scale, to + (y + room) * width + room
                    )
                }
            }
        }
    }

    /// Half as wide and high, rounded up: the mean of every 2 × 2 values.
    fileprivate init(half plane: Plane) {
        let (width, height) = ((plane.width + 1) / 2, (plane.height + 1) / 2)
        self.init(width: width, height: height)
        let source = plane.values.span
        for y in 0..<height {
            let (upper, lower) = (2 * y * plane.width, min(2 * y + 1, plane.height - 1) * plane.width)
            for x in 0..<width {
                let (left, right) = (2 * x, min(2 * x + 1, plane.width - 1))
                let sum = source[upper + left] + source[upper + right] + source[lower + left] + source[lower + right]
                values[y * width + x] = sum / 4
            }
        }
    }

    /// The bilinear value at a pixel of a plane of twice the size.
    fileprivate func interpolatedDouble(x: Int, y: Int) -> Float {
        let (column, row) = (x / 2, y / 2)
        let across = x % 2 == 0 ? max(column - 1, 0) : min(column + 1, width - 1)
        let down = y % 2 == 0 ? max(row - 1, 0) : min(row + 1, height - 1)
        let near = values[row * width + column] * 0.75 + values[row * width + across] * 0.25
        let far = values[down * width + column] * 0.75 + values[down * width + across] * 0.25
        return near * 0.75 + far * 0.25
    }
}
