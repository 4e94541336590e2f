package import PhotoCodecs
package import PhotoRaster

/// The file format of finished stickers.
package enum StickerFormat: String, Codable, Hashable, Sendable, CaseIterable {
    /// 8-bit RGBA, never palette, tagged sRGB.
    case png

    package var fileExtension: String { rawValue }

    /// The finished file. The same pixels give the same bytes.
    package func encode(_ raster: Raster) throws(CodecError) -> [UInt8] {
        switch self {
        case .png: try PNGEncoder.encode(raster)
        }
    }
}
