import PhotoCodecs
import PhotoRaster

/// A matte as a picture file.
enum MatteImage {
    /// Rows that are enlarged together: however large the photo is, no more than this many are in memory.
    private static let stripHeight = 64

    /// 8-bit grey PNG of `width` × `height`, enlarged bilinearly with half-pixel centres.
    static func encode(_ matte: Plane, width: Int, height: Int) throws(CodecError) -> [UInt8] {
        let scale = Double(matte.height) / Double(height)
        var strip = Plane(width: 1, height: 1)
        return try PNGEncoder.encodeGray(width: width, height: height) { row, pixels in
            let line = row % stripHeight
            if line == 0 {
                let rows = min(stripHeight, height - row)
                strip = matte.resampled(
                    from: PixelRect(
                        x: 0, y: Double(row) * scale, width: Double(matte.width), height: Double(rows) * scale),
                    width: width, height: rows, kernel: .area)
            }
            for x in 0..<width {
                pixels[x] = UInt8((min(max(strip.values[line * width + x], 0), 1) * 255).rounded())
            }
        }
    }
}
