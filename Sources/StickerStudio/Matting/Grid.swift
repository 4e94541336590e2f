internal import CRasterLoops
import PhotoRaster

/// A coarse grid over a photo: square blocks of pixels, few enough that large windows are cheap.
struct PixelGrid {
    /// The intended longer side in blocks: about that of the network's input.
    private static let side = 170.0
    /// The most pixels of a block along a side: their sums fit into 16 bits.
    private static let largestFactor = 257

    /// The side of a block in pixels; blocks at the right and lower border may be cut off.
    let factor: Int
    let width: Int
    let height: Int
    /// Of the photo, in pixels.
    let photoWidth: Int
    let photoHeight: Int

    init(over photo: Raster) {
        photoWidth = photo.width
        photoHeight = photo.height
        factor = min(max(1, Int((Double(max(photoWidth, photoHeight)) / Self.side).rounded())), Self.largestFactor)
        width = (photoWidth + factor - 1) / factor
        height = (photoHeight + factor - 1) / factor
    }

    /// A length in blocks, given as a fraction of the longer side.
    func radius(share: Double) -> Int {
        max(1, Int((Double(max(width, height)) * share).rounded()))
    }

    /// For each block, the means of red, green and blue in 0…1, then 1.
    func colorMeans(of photo: Raster) -> [SIMD4<Float>] {
        let pixels = photo.pixels.span
        var result = [SIMD4<Float>](repeating: .zero, count: width * height)
        // Each line has `photoWidth` pixels of four bytes, and each row a number for every `factor` of them.
        unsafe result.withUnsafeMutableBufferPointer { blocks in
            unsafe pixels.withUnsafeBufferPointer { pixels in
                guard let from = pixels.baseAddress, let to = blocks.baseAddress else { return }
                for row in 0..<height {
                    let lines = row * factor..<min((row + 1) * factor, photoHeight)
                    for line in lines {
                        unsafe raster_add_block_means(
                            from + line * photoWidth * Raster.channels, photoWidth, factor, lines.count,
                            to + row * width)
                    }
                }
            }
        }
        for index in result.indices { result[index].w = 1 }
        return result
    }

    /// Calls `body` with the index in the photo of each pixel of a block; returns how many there are.
    @inline(__always)
    @discardableResult
    func forEachPixel(ofBlock block: Int, _ body: (_ index: Int) -> Void) -> Int {
        let (row, column) = (block / width, block % width)
        let lines = row * factor..<min((row + 1) * factor, photoHeight)
        let positions = column * factor..<min((column + 1) * factor, photoWidth)
        for line in lines {
            for position in positions { body(line * photoWidth + position) }
        }
        return lines.count * positions.count
    }
}

/// A rectangle of a grid's blocks.
struct GridBox {
    var columns: Range<Int>
    var rows: Range<Int>

    /// This box, extended by up to `reach` blocks on each side within the grid.
    func grown(by reach: Int, in grid: PixelGrid) -> GridBox {
        GridBox(
            columns: max(columns.lowerBound - reach, 0)..<min(columns.upperBound + reach, grid.width),
            rows: max(rows.lowerBound - reach, 0)..<min(rows.upperBound + reach, grid.height))
    }
}

/// A square window that slides over a grid; blocks beyond the grid are left out.
struct BoxWindow {
    let width: Int
    let height: Int
    /// The window's side is twice this, plus one.
    let radius: Int

    /// The mean over the window around each value in `box`, in time independent of the radius; 0 elsewhere.
    func means<V: SIMD>(of values: [V], in box: GridBox) -> [V] where V.Scalar == Float {
        var result = [V](repeating: .zero, count: width * height)
        let source = values.span
        var target = result.mutableSpan
        forEachMean(in: box, of: { source[$0] }, { target[$0] = $1 })
        return result
    }

    /// Calls `body` for each index in `box` with the mean over the window around it.
    ///
    /// - Parameter value: called twice for each index, when it enters the window and when it leaves.
    @inline(__always)
    func forEachMean<V: SIMD>(
        in box: GridBox, of value: (_ index: Int) -> V, _ body: (_ index: Int, _ mean: V) -> Void
    ) where V.Scalar == Float {
        let reached = max(box.columns.lowerBound - radius, 0)..<min(box.columns.upperBound + radius, width)
        var columnSums = [V](repeating: .zero, count: reached.upperBound)
        var columns = columnSums.mutableSpan
        for row in max(box.rows.lowerBound - radius, 0)..<min(box.rows.lowerBound + radius, height) {
            for x in reached { columns[x] += value(row * width + x) }
        }
        for y in box.rows {
            if y + radius < height {
                for x in reached { columns[x] += value((y + radius) * width + x) }
            }
            if y - radius > 0, y > box.rows.lowerBound {
                for x in reached { columns[x] -= value((y - radius - 1) * width + x) }
            }
            let rows = min(y + radius, height - 1) - max(y - radius, 0) + 1
            var sum = V.zero
            let start = box.columns.lowerBound
            for x in max(start - radius, 0)..<min(start + radius, width) { sum += columns[x] }
            for x in box.columns {
                if x + radius < width { sum += columns[x + radius] }
                if x - radius > 0, x > start { sum -= columns[x - radius - 1] }
                let count = rows * (min(x + radius, width - 1) - max(x - radius, 0) + 1)
                body(y * width + x, sum * (1 / Float(count)))
            }
        }
    }
}

extension Span<UInt8> {
    /// Red, green and blue of a raster's pixel in 0…1, and 1.
    @inline(__always)
    func color(at index: Int) -> SIMD4<Float> {
        let base = index * Raster.channels
        return SIMD4(Float(self[base]), Float(self[base + 1]), Float(self[base + 2]), 255) * (1 / 255)
    }
}
