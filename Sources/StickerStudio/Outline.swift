internal import CRasterLoops
package import PhotoRaster

/// The die-cut band around a subject: about `width` wide, along a line as calm as a cutter's.
///
/// Two steps make the line: a morphological closing (the subject is dilated by `width` and `closing` × `width`, then
/// eroded by the latter) fills notches that a knife could not turn into, and a Gaussian calms what is left, bumps
/// included. Straight edges keep their distance, and corners are rounded a little more than by a disc of `width`. Where
/// the line would come too near the subject, such as at the tip of a whisker, the exact band of `nearest` × `width`
/// counts. Distances are those to a contour (`ContourDistance`).
package struct Outline {
    /// The radius to which notches are rounded, in outline widths.
    private static let closing: Float = 2.2
    /// The standard deviation of the Gaussian, in outline widths: the largest that rounds a square's corner by less
    /// than 1.5 widths.
    private static let smoothing: Float = 0.6
    /// The least width, in outline widths.
    private static let nearest: Float = 0.55
    /// How far beyond a contour distances are needed, in pixels: it is antialiased.
    private static let blur: Float = 2
    /// How often islands are joined at most.
    private static let joins = 3

    private let width: Float

    /// In pixels, at least 1.
    package init(width: Int) {
        self.width = Float(width)
    }

    /// The fraction of each pixel that band or subject cover, 0…1.
    package func shape(around picture: Raster) -> Plane {
        // The dilated subject reaches beyond the picture, and its contour needs a pixel around it. Even, so that a
        // pixel of half the resolution has the same four in the picture and here.
        let room = 2 * Int((width * Self.closing / 2).rounded(.up)) + 2
        let coverage = Plane(alphaOf: picture, room: room)
        let inside = BitPlane(of: coverage, atLeast: 0.5)
        let nearest = width * Self.nearest
        let distance = ContourDistance(exactAt: nearest, reach: nearest + Self.blur)
            .distances(from: coverage, inside: inside)
        let line = joinedLine(around: coverage, inside: inside)
        var shape = Plane(width: picture.width, height: picture.height)
        var target = shape.values.mutableSpan
        let distances = distance.values.span
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let band = nearest - distances[(y + room) * distance.width + x + room] + 0.5
                let value = band >= 1 ? 1 : max(band, line.interpolatedDouble(x: x + room, y: y + room))
                if value > 0 { target[y * picture.width + x] = min(value, 1) }
            }
        }
        return shape
    }

    /// The line at half the resolution, around one piece: islands are joined by bridges.
    private func joinedLine(around coverage: Plane, inside: BitPlane) -> Plane {
        var (coverage, inside) = (coverage, inside)
        coverage.hideSpurs(shorterThan: Int(width), inside: &inside)
        var subject = Plane(half: coverage)
        subject.keepThinParts(of: inside)
        var line = line(around: subject)
        // Bridges end in other places once they are rounded, so a few may need a second.
        for _ in 0..<Self.joins {
            let bridges = Bridges(between: Regions(of: BitPlane(of: line, atLeast: 0.5), diagonal: true), of: subject)
            guard !bridges.isEmpty else { break }
            bridges.draw(on: &subject, thickness: width / 2)
            line = self.line(around: subject)
        }
        return line
    }

    /// The line around a subject, both at half the resolution, which is enough for something so calm: 0.5 on it, and
    /// larger by 1 for each pixel of the full resolution inside.
    private func line(around subject: Plane) -> Plane {
        let (width, radius) = (width / 2, width * Self.closing / 2)
        var far = ContourDistance(exactAt: width + radius, reach: width + radius + Self.blur)
            .distances(from: subject, inside: BitPlane(of: subject, atLeast: 0.5))
        for index in far.values.indices {
            far.values[index] = min(max(far.values[index] - width - radius + 0.5, 0), 1)
        }
        var closed = ContourDistance(exactAt: radius, reach: radius + Self.blur)
            .distances(from: far, inside: BitPlane(of: far, atLeast: 0.5))
        for index in closed.values.indices {
            closed.values[index] = min(max(closed.values[index] - radius + 0.5, 0), 1)
        }
        let blur = GaussianBlur(deviation: width * Self.smoothing)
        var line = blur.blurred(closed)
        for index in line.values.indices {
            line.values[index] = (line.values[index] - 0.5) * 2 / blur.steepness + 0.5
        }
        return line
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

    /// Makes a pixel of this half of a plane just count as inside if one of its four is, and no neighbor does: the mean
    /// of a stroke one pixel wide is too low.
    fileprivate mutating func keepThinParts(of inside: BitPlane) {
        let body = BitPlane(of: self, atLeast: 0.5).dilated(by: 1)
        for y in 0..<height {
            for row in 2 * y..<min(2 * y + 2, inside.height) {
                inside.forEachRun(inRow: row) { columns in
                    for x in columns.lowerBound / 2...(columns.upperBound - 1) / 2 where !body[x, y] {
                        self[x, y] = 0.5
                    }
                }
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
