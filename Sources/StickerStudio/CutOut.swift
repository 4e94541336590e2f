package import PhotoRaster

/// The studio's result for a photo.
package struct CutOut: Sendable {
    /// A finished sticker and its confidence, 0…1.
    package struct Sticker: Sendable {
        package let raster: Raster
        package let confidence: Double
    }

    /// From left to right; empty if the photo has no clear subject.
    package let stickers: [Sticker]
    /// The photo's confidence, 0…1.
    package let confidence: Double
}
