package import PhotoRaster

/// A photo brought down to its working size and turned upright.
package struct DecodedPhoto: Sendable {
    /// Upright, sRGB as stored: embedded profiles are not applied.
    package let raster: Raster
    /// The full photo's size, upright.
    package let photoWidth: Int
    package let photoHeight: Int
    package let format: PhotoFormat
    /// At least one pixel of the raster is not opaque.
    package let hasAlpha: Bool
}
