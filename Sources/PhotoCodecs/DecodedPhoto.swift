package import PhotoRaster

/// A photo, or a region of it, reduced to its working size and turned upright.
package struct DecodedPhoto: Sendable {
    /// Upright and sRGB: an embedded ICC profile has been applied.
    package let raster: Raster
    /// The full photo's size, upright.
    package let photoWidth: Int
    package let photoHeight: Int
    /// What the raster covers, in full-size upright pixels: the whole photo, or the requested region, rounded outward
    /// to whole pixels of the raster and cropped to the photo.
    package let region: PixelRect
    package let format: PhotoFormat
    /// Whether at least one pixel of the raster is not opaque.
    package let hasAlpha: Bool
}
