package import PhotoCodecs
package import PhotoRaster

/// The file format of finished stickers.
package enum StickerFormat: String, Codable, Hashable, Sendable, CaseIterable {
    /// 8-bit RGBA, never with a palette, tagged sRGB.
    case png
    /// Lossy with alpha.
    case webp

    /// The extension, without the dot.
    package var fileExtension: String { rawValue }

    /// Returns the finished file. The same pixels give the same bytes. `maxBytes` applies only to WebP, whose quality
    /// is lowered as needed.
    ///
    /// - Throws: `.overLimit` if no quality is low enough, and `.outOfMemory`.
    package func encode(_ raster: Raster, maxBytes: Int?) throws(CodecError) -> [UInt8] {
        switch self {
        case .png: try PNGEncoder.encode(raster)
        case .webp: try WebPEncoder.encode(raster, maxBytes: maxBytes)
        }
    }
}

/// The small version of a sticker for the gallery's grid.
package enum Thumbnail {
    /// The longest side in pixels: about 100 points on a screen of double density.
    package static let side = 192
    /// About 5 KB per thumbnail, so that a page with thousands of them stays small.
    private static let colorQuality = 75

    static func encode(_ sticker: Raster) throws(CodecError) -> [UInt8] {
        let scale = min(1, Double(side) / Double(max(sticker.width, sticker.height)))
        let width = max(1, Int((Double(sticker.width) * scale).rounded()))
        let height = max(1, Int((Double(sticker.height) * scale).rounded()))
        let small = scale < 1 ? sticker.resampled(width: width, height: height, kernel: .area) : sticker
        return try WebPEncoder.encodeQuickly(small, colorQuality: colorQuality)
    }
}

/// A matte as a picture file.
enum MatteImage {
    /// The most rows in memory at a time.
    private static let stripHeight = 64

    /// An 8-bit gray PNG of `width` × `height`, enlarged bilinearly with half-pixel centers.
    ///
    /// - Parameter region: the area that `matte` covers, black around it; nil for the whole picture.
    static func encode(_ matte: Plane, of region: PixelRect?, width: Int, height: Int) throws(CodecError) -> [UInt8] {
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
