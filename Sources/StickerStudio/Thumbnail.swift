import PhotoCodecs
import PhotoRaster

/// The small picture of a sticker that the gallery's grid shows.
package enum Thumbnail {
    /// Longest side in pixels: about 100 points on a screen of double density.
    package static let side = 192
    /// About 5 KB per thumbnail, so that a page with thousands of them stays small.
    private static let colorQuality = 75

    static func encode(_ sticker: Raster) throws(CodecError) -> [UInt8] {
        let scale = min(1, Double(side) / Double(max(sticker.width, sticker.height)))
        let width = max(1, Int((Double(sticker.width) * scale).rounded()))
        let height = max(1, Int((Double(sticker.height) * scale).rounded()))
        let small = scale < 1 ? sticker.resampled(width: width, height: height, kernel: .area) : sticker
        return try WebPEncoder.encode(small, colorQuality: colorQuality)
    }
}
