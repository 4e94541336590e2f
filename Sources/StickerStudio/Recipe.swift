import SubjectModel

/// Everything a photo's result depends on beside its bytes: the same photo and the same recipe give the same bytes.
package struct Recipe: Codable, Hashable, Sendable {
    /// Grows whenever the same settings and weights would give other bytes than before.
    package static let currentRevision = 1

    package let revision: Int
    /// Which weights the subject network has.
    package let weights: String
    package let sticker: StickerRecipe
    package let format: StickerFormat
    /// How many colors a scheme has at most.
    package let colorCount: Int

    package init(sticker: StickerRecipe, format: StickerFormat, colorCount: Int) {
        self.revision = Self.currentRevision
        self.weights = SubjectNetwork.weightsDigest
        self.sticker = sticker
        self.format = format
        self.colorCount = colorCount
    }

    /// The longer side, in pixels, that a photo is decoded to at least: nearly twice the sticker's, so that a subject
    /// that fills half of the photo is not enlarged, and an even quarter of a 12-megapixel photo still covers it.
    package var workingSide: Int { max(SubjectNetwork.side, sticker.size * 15 / 8) }
}
