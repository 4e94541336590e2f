import PhotoRaster

/// A photo seen coarsely: square blocks of its pixels, few enough that large windows cost little.
struct PixelGrid {
    /// The longer side, in blocks, that is aimed at: about what the network sees.
    private static let side = 340.0

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
        factor = max(1, Int((Double(max(photoWidth, photoHeight)) / Self.side).rounded()))
        width = (photoWidth + factor - 1) / factor
        height = (photoHeight + factor - 1) / factor
    }

    /// A length in blocks that is this share of the longer side.
    func radius(share: Double) -> Int {
        max(1, Int((Double(max(width, height)) * share).rounded()))
    }

    /// Adds up something over the pixels of each block and divides it by how many there are. `add` is given the
    /// pixel's index in the photo.
    @inline(__always)
    func means<V: SIMD>(_ zero: V, add: (_ index: Int, _ sum: inout V) -> Void) -> [V] where V.Scalar == Float {
        var result = [V](repeating: zero, count: width * height)
        var blocks = result.mutableSpan
        for row in 0..<height {
            let lines = row * factor..<min((row + 1) * factor, photoHeight)
            for column in 0..<width {
                let positions = column * factor..<min((column + 1) * factor, photoWidth)
                var sum = zero
                for line in lines {
                    for position in positions { add(line * photoWidth + position, &sum) }
                }
                blocks[row * width + column] = sum * (1 / Float(lines.count * positions.count))
            }
        }
        return result
    }
}
