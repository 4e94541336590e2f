import PhotoCodecs
import PhotoRaster

/// A matte as a picture file.
enum MatteImage {
    /// The most rows in memory at a time, however large the photo is.
    private static let stripHeight = 64

    /// 8-bit grey PNG of `width` × `height`, enlarged bilinearly with half-pixel centers.
    ///
    /// - Parameter region: where `matte` lies in the picture, black beyond; nil for all of it.
    static func encode(
        _ matte: Plane, of region: PixelRect?, width: Int, height: Int
    ) throws(CodecError) -> [UInt8] {
        let region = region ?? PixelRect(x: 0, y: 0, width: Double(width), height: Double(height))
        let (across, down) = (Double(matte.width) / region.width, Double(matte.height) / region.height)
        func covered(_ start: Double, _ length: Double, _ limit: Int) -> Range<Int> {
            let first = max(Int((start + 0.5).rounded(.down)), 0)
            return first..<max(first, min(Int((start + length + 0.5).rounded(.down)), limit))
        }
        let columns = covered(region.x, region.width, width)
        let rows = covered(region.y, region.height, height)
        var strip = Plane(width: 1, height: 1)
        return try PNGEncoder.encodeGray(width: width, height: height) { row, pixels in
            let line = row % stripHeight
            if line == 0 {
                let count = min(stripHeight, height - row)
                strip = matte.resampled(
                    from: PixelRect(
                        x: -region.x * across, y: (Double(row) - region.y) * down, width: Double(width) * across,
                        height: Double(count) * down),
                    width: width, height: count, kernel: .area)
            }
            for x in 0..<width {
                let isCovered = rows.contains(row) && columns.contains(x)
                pixels[x] =
                    isCovered ? UInt8((min(max(strip.values[line * width + x], 0), 1) * 255).rounded()) : 0
            }
        }
    }
}
