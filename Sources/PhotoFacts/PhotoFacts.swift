package import PhotoCodecs
package import PhotoColors
package import PhotoLikeness

/// What processing found out about one photo, as in the worker's reply and the Library.
package struct PhotoFacts: Codable, Hashable, Sendable {
    package let format: PhotoFormat
    /// The size of the whole photo, upright, in pixels.
    package let width: Int
    package let height: Int
    /// The score for a clear subject, 0…1.
    package let confidence: Double
    /// Colors of the whole photo.
    package let colors: PhotoColorSample
    /// Colors of the subject alone, each pixel weighted by its opacity; nil without a clear subject.
    package let subjectColors: PhotoColorSample?
    /// Nil if the photo has too little detail, or if detection of near-duplicates is off.
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

/// What found a sticker's subject.
package enum SubjectFinder: String, Codable, Sendable {
    case network
    /// Its difference from a flat, light and nearly gray background, because the network was not sure of a subject.
    case background
    /// The photo's own transparency.
    case alpha
}

/// The properties of one sticker, without its file.
package struct StickerFacts: Codable, Hashable, Sendable {
    /// In pixels, with outline and padding.
    package let width: Int
    package let height: Int
    /// The score for a clear subject, 0…1.
    package let confidence: Double
    /// Nil if unknown.
    package let foundBy: SubjectFinder?

    package init(width: Int, height: Int, confidence: Double, foundBy: SubjectFinder? = nil) {
        self.width = width
        self.height = height
        self.confidence = confidence
        self.foundBy = foundBy
    }
}
