import PhotoRaster

/// A coarse grid over a photo: square blocks of its pixels, few enough that large windows are cheap.
struct PixelGrid {
    /// The intended longer side, in blocks: about the network's input.
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

    /// For each block, the means of red, green and blue in 0…1, and 1.
    func colorMeans(of photo: Raster) -> [SIMD4<Float>] {
        let bytes = unsafe photo.pixels.span.bytes
        var result = [SIMD4<Float>](repeating: .zero, count: width * height)
        var blocks = result.mutableSpan
        for row in 0..<height {
            let lines = row * factor..<min((row + 1) * factor, photoHeight)
            for line in lines {
                var offset = line * photoWidth * Raster.channels
                for column in 0..<width {
                    let count = min(factor, photoWidth - column * factor)
                    // Whole numbers, two in a word: blocks are too narrow for them to meet.
                    var (outer, middle): (UInt32, UInt32) = (0, 0)
                    for _ in 0..<count {
                        // In range: the photo's lines hold four bytes for each pixel. Any bit pattern is a number.
                        let pixel = UInt32(
                            littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
                        outer &+= pixel & 0x00ff_00ff
                        middle &+= pixel >> 8 & 0xff
                        offset += Raster.channels
                    }
                    let share = 1 / Float(count * lines.count * 255)
                    blocks[row * width + column] +=
                        SIMD4(Float(outer & 0xffff), Float(middle), Float(outer >> 16), 0) * share
                }
            }
            for column in 0..<width { blocks[row * width + column].w = 1 }
        }
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
