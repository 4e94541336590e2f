package import PhotoCodecs
package import PhotoColors
package import PhotoLikeness

/// What became of one photo: its stickers, none where it has no clear subject, and its colors.
package struct ProcessedPhoto: Sendable {
    /// A finished sticker file.
    package struct Sticker: Sendable {
        /// In the recipe's format.
        package let data: [UInt8]
        /// In pixels.
        package let width: Int
        package let height: Int
        /// How sure it is that the sticker shows a clear subject, 0…1.
        package let confidence: Double
        /// A small WebP of it for the gallery's grid.
        package let thumbnail: [UInt8]
    }

    /// Of the photo, not of its stickers.
    package let format: PhotoFormat
    /// Of the whole photo, upright, in pixels.
    package let width: Int
    package let height: Int
    /// How sure it is that the photo has a clear subject, 0…1.
    package let confidence: Double
    /// From left to right where each subject has its own.
    package let stickers: [Sticker]
    /// Of the whole photo.
    package let colors: PhotoColorSample
    /// Of the subject alone, each pixel weighted by its opacity; nil where there is no clear one.
    package let subjectColors: PhotoColorSample?
    /// Of the whole photo; nil where there is too little in it.
    package let likeness: PerceptualHash?
    package let timings: Timings

    /// Where the time went, in microseconds; a second look at the photo counts with the first, and the subject's
    /// colors with the photo's.
    package struct Timings: Codable, Sendable {
        package var decode = 0
        package var mask = 0
        package var matte = 0
        package var outline = 0
        package var encode = 0
        package var colors = 0
    }
}
