import SubjectModel

/// Everything a photo's result depends on beside its bytes: the same photo and the same recipe give the same bytes.
package struct Recipe: Codable, Hashable, Sendable {
    /// Increases whenever the same settings and weights would give other bytes than before.
    package static let currentRevision = 5

    /// `currentRevision` of the release that made the result.
    package let revision: Int
    /// Identifies the weights of the subject network: `SubjectNetwork.weightsDigest`, or the fingerprint of another
    /// model.
    package let weights: String
    package let sticker: StickerRecipe
    package let format: StickerFormat
    /// The limit of a sticker's file size, for formats that can trade quality for size; nil for no limit.
    package let maxBytes: Int?

    /// The recipe of this release, with the embedded weights, or with the weights whose fingerprint is `model`.
    package init(sticker: StickerRecipe, format: StickerFormat, maxBytes: Int? = nil, model: String? = nil) {
        self.revision = Self.currentRevision
        self.weights = model ?? SubjectNetwork.weightsDigest
        self.sticker = sticker
        self.format = format
        self.maxBytes = maxBytes
    }

    /// The longer side, in pixels, that a photo is decoded to at least.
    package var workingSide: Int { max(SubjectNetwork.side, sticker.workingSide) }
}
