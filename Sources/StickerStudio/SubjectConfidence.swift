#if canImport(Glibc)
import Glibc
#endif
package import PhotoRaster

/// How clearly a mask shows a subject: agreement × certainty, each 0…1.
///
/// Agreement is the mask's overlap with its own decision at 0.5, Σ min(p, d) / Σ max(p, d): low where probability is
/// smeared over the photo. Certainty is the log-odds of the surest pixel, log(p / (1 - p)) / 6, at most 1: a network
/// that finds nothing to point at is nowhere sure. The scale and the threshold were chosen on photos of DUTS-TR against
/// pieces of their backgrounds.
package struct SubjectConfidence {
    private static let threshold = 0.4
    private static let fullCertainty: Float = 6

    /// 0…1.
    package let value: Double

    /// Whether a sticker is worth making.
    package var isClear: Bool { value >= Self.threshold }

    package init(of mask: Plane) {
        var shared = 0.0
        var united = 0.0
        var surest: Float = 0
        for probability in mask.values {
            let inside = probability >= 0.5
            shared += inside ? Double(probability) : 0
            united += inside ? 1 : Double(probability)
            surest = max(surest, probability)
        }
        let odds = surest / max(1 - surest, .ulpOfOne)
        let certainty = min(max(log(odds) / Self.fullCertainty, 0), 1)
        value = united > 0 ? shared / united * Double(certainty) : 0
    }
}
