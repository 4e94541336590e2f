package import PhotoCodecs
package import PhotoRaster

/// The file format of finished stickers.
package enum StickerFormat: String, Codable, Hashable, Sendable, CaseIterable {
    /// 8-bit RGBA, never palette, tagged sRGB.
    case png
    /// Lossy with alpha.
    case webp

    /// Without the dot.
    package var fileExtension: String { rawValue }

    /// The finished file. The same pixels give the same bytes. `maxBytes` applies to WebP, whose quality is
    /// lowered as needed; PNG is lossless.
    ///
    /// - Throws: `.overLimit` if no quality is low enough, and `.outOfMemory`.
    package func encode(_ raster: Raster, maxBytes: Int?) throws(CodecError) -> [UInt8] {
        switch self {
        case .png: try PNGEncoder.encode(raster)
        case .webp: try WebPEncoder.encode(raster, maxBytes: maxBytes)
        }
    }
}
