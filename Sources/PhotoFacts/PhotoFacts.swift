package import PhotoCodecs
package import PhotoColors
package import PhotoLikeness

/// What processing found out about one photo: the worker's reply carries it, the Library records it.
package struct PhotoFacts: Codable, Hashable, Sendable {
    package let format: PhotoFormat
    /// Of the whole photo, upright, in pixels.
    package let width: Int
    package let height: Int
    /// The score for a clear subject, 0…1.
    package let confidence: Double
    /// Of the whole photo.
    package let colors: PhotoColorSample
    /// Of the subject alone, each pixel weighted by its opacity; nil without a clear subject.
    package let subjectColors: PhotoColorSample?
    /// Nil if the photo has too little detail, or if near-duplicates are not looked for.
    package var likeness: PerceptualHash?

    package init(
        format: PhotoFormat, width: Int, height: Int, confidence: Double, colors: PhotoColorSample,
        subjectColors: PhotoColorSample? = nil, likeness: PerceptualHash? = nil
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.confidence = confidence
        self.colors = colors
        self.subjectColors = subjectColors
        self.likeness = likeness
    }
}

/// What is known of one sticker besides its file.
package struct StickerFacts: Codable, Hashable, Sendable {
    /// In pixels, with outline and padding.
    package let width: Int
    package let height: Int
    /// The score that it shows a clear subject, 0…1.
    package let confidence: Double

    package init(width: Int, height: Int, confidence: Double) {
        self.width = width
        self.height = height
        self.confidence = confidence
    }
}
