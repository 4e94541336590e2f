package import PhotoRaster

/// A rectangle of whole pixels of an image. `x`, `y` is the top left pixel.
package struct PixelBounds: Equatable, Sendable {
    package let x: Int
    package let y: Int
    package let width: Int
    package let height: Int
}

extension Raster {
    /// A raster this many times larger than needed, along a side, is reduced: every later step costs as many times less
    /// as it has fewer pixels.
    private static let leastExcess = 1.15

    /// The mean of the pixels that each of fewer covers, with `side` as the longer side; this raster if it is hardly
    /// larger.
    func reduced(to side: Int) -> Raster {
        let excess = Double(max(width, height)) / Double(side)
        guard excess > Self.leastExcess else { return self }
        func reduced(_ length: Int) -> Int { max(Int((Double(length) / excess).rounded()), 1) }
        return resampled(width: reduced(width), height: reduced(height), kernel: .area)
    }
}

extension Raster {
    /// The smallest rectangle around all pixels that are not fully transparent; nil if there are none.
    var visibleBounds: PixelBounds? {
        var (left, right, top, bottom) = (width, -1, height, -1)
        let bytes = pixels.span
        for y in 0..<height {
            let row = y * width
            guard let first = (0..<width).first(where: { bytes[(row + $0) * Self.channels + 3] > 0 }),
                let last = (first..<width).last(where: { bytes[(row + $0) * Self.channels + 3] > 0 })
            else { continue }
            (left, right) = (min(left, first), max(right, last))
            (top, bottom) = (min(top, y), y)
        }
        return right < 0 ? nil : PixelBounds(x: left, y: top, width: right + 1 - left, height: bottom + 1 - top)
    }

    /// The pixels under `bounds` at another size: sharp inside, and without rings around edges.
    ///
    /// Lanczos keeps detail, but beside a transparent pixel it overshoots: it draws faint rings outside of the edge and
    /// lightens colors inside of it. So it is used only where it reads nothing but opaque pixels.
    func scaled(from bounds: PixelBounds, width: Int, height: Int) -> Raster {
        let rect = PixelRect(
            x: Double(bounds.x), y: Double(bounds.y), width: Double(bounds.width), height: Double(bounds.height))
        var result = resampled(from: rect, width: width, height: height, kernel: .area)
        if (bounds.width, bounds.height) == (width, height) { return result }
        let sharp = resampled(from: rect, width: width, height: height, kernel: .lanczos3)
        // Three pixels of the smaller image, and one because pixels of both do not coincide.
        let reach = (
            across: Self.lanczosReach(from: bounds.width, to: width),
            down: Self.lanczosReach(from: bounds.height, to: height)
        )
        let inside = result.opaquePixels(farFromEdge: reach)
        for index in inside.indices where inside[index] {
            for place in index * Self.channels..<(index + 1) * Self.channels {
                result.pixels[place] = sharp.pixels[place]
            }
        }
        return result
    }

    /// How far the kernel reads from a pixel, in pixels of the result.
    private static func lanczosReach(from input: Int, to output: Int) -> Int {
        1 + 3 * max(1, (output + input - 1) / input)
    }

    /// For each pixel, whether the rectangle that reaches this far from it is within the image and opaque.
    private func opaquePixels(farFromEdge reach: (across: Int, down: Int)) -> [Bool] {
        // The numbers of pixels above and to the left that are not opaque.
        let stride = width + 1
        var counts = [Int32](repeating: 0, count: stride * (height + 1))
        for y in 0..<height {
            var inRow: Int32 = 0
            for x in 0..<width {
                if pixels[(y * width + x) * Self.channels + 3] < 255 { inRow += 1 }
                counts[(y + 1) * stride + x + 1] = counts[y * stride + x + 1] + inRow
            }
        }
        var result = [Bool](repeating: false, count: width * height)
        guard width > 2 * reach.across, height > 2 * reach.down else { return result }
        for y in reach.down..<height - reach.down {
            let (top, bottom) = ((y - reach.down) * stride, (y + reach.down + 1) * stride)
            for x in reach.across..<width - reach.across {
                let (left, right) = (x - reach.across, x + reach.across + 1)
                result[y * width + x] =
                    counts[bottom + right] - counts[bottom + left] == counts[top + right] - counts[top + left]
            }
        }
        return result
    }

    /// The pixels under `bounds`, which lie within the image.
    package func cropped(to bounds: PixelBounds) -> Raster {
        if (bounds.width, bounds.height) == (width, height) { return self }
        var result: [UInt8] = []
        result.reserveCapacity(bounds.width * bounds.height * Self.channels)
        for y in bounds.y..<bounds.y + bounds.height {
            let start = (y * width + bounds.x) * Self.channels
            result.append(contentsOf: pixels[start..<start + bounds.width * Self.channels])
        }
        return Raster(width: bounds.width, height: bounds.height, pixels: result)
    }

    /// The image in the middle of a transparent one, which is at least as large; half a pixel to the left and up if the
    /// middle is between pixels.
    func centered(onWidth canvasWidth: Int, height canvasHeight: Int) -> Raster {
        if (canvasWidth, canvasHeight) == (width, height) { return self }
        var canvas = Raster(width: canvasWidth, height: canvasHeight)
        let (left, top) = ((canvasWidth - width) / 2, (canvasHeight - height) / 2)
        for y in 0..<height {
            let start = ((top + y) * canvasWidth + left) * Self.channels
            let row = y * width * Self.channels
            canvas.pixels.replaceSubrange(
                start..<start + width * Self.channels, with: pixels[row..<row + width * Self.channels])
        }
        return canvas
    }
}
