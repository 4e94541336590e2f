package import PhotoRaster

/// What the studio made of a photo.
package struct CutOut: Sendable {
    /// A finished sticker and how sure it is that it shows a clear subject, 0…1.
    package struct Sticker: Sendable {
        package let raster: Raster
        package let confidence: Double
    }

    /// From left to right; none where the photo has no clear subject.
    package let stickers: [Sticker]
    /// How sure it is that the photo has a clear subject, 0…1.
    package let confidence: Double
}
