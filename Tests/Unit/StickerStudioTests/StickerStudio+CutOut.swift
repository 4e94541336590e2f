import PhotoRaster

@testable import StickerStudio

extension StickerStudio {
    /// The stickers of a photo, and its confidence: by default that of `mask`.
    func cutOut(
        photo: Raster, mask: Plane?, confidence: SubjectConfidence? = nil
    ) -> (stickers: [CutOut], confidence: Double) {
        let confidence = confidence ?? mask.map { SubjectConfidence(of: $0) } ?? .certain
        return (finish(lift(from: photo, mask: mask), confidence: confidence), confidence.value)
    }
}
