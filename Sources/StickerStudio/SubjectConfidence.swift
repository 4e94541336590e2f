#if canImport(Glibc)
import Glibc
#endif
package import PhotoRaster

/// How likely a mask shows a clear subject: a logistic function of three of its features.
///
/// - Agreement, the mask's overlap with its own decision at 0.5, Σ min(p, d) / Σ max(p, d): low where probability is
///   smeared over the photo.
/// - The log-odds of the surest pixel: a network that finds nothing to point at is nowhere sure.
/// - The share of the photo's border that is decided to be subject: what fills the photo is its background.
///
/// Fitted so that photos with and without a subject weigh the same: 1508 of DUTS-TR and 450 crops that cut through their
/// subject, against 157 pieces of backgrounds and landscapes and 150 drawn gradients, skies, textures, patterns,
/// documents and screenshots. At the threshold it refuses 3 % of the former (1.2 % of the uncropped ones), and 4 % of
/// photos from elsewhere; it takes 28 % of the latter for a subject.
package struct SubjectConfidence: Sendable {
    private static let weights = (agreement: 6.4, certainty: 1.04, border: -10.3, bias: -9.5)
    private static let threshold = 0.16
    /// Probabilities closer to 0 or 1 tell nothing more.
    private static let leastDoubt: Float = 0.001

    /// 0…1.
    package let value: Double

    /// Of a photo that is cut out already.
    static let certain = SubjectConfidence(value: 1)

    private init(value: Double) {
        self.value = value
    }

    /// Whether a sticker is worth making.
    package var isClear: Bool { value >= Self.threshold }

    /// - Parameter mask: the network's probabilities, in any size.
    package init(of mask: Plane) {
        var shared = 0.0
        var united = Double.ulpOfOne
        var surest = Self.leastDoubt
        for probability in mask.values {
            let inside = probability >= 0.5
            shared += inside ? Double(probability) : 0
            united += inside ? 1 : Double(probability)
            surest = max(surest, probability)
        }
        surest = min(surest, 1 - Self.leastDoubt)
        var border = 0
        for x in 0..<mask.width { border += [0, mask.height - 1].count { mask[x, $0] >= 0.5 } }
        for y in 0..<mask.height { border += [0, mask.width - 1].count { mask[$0, y] >= 0.5 } }
        let score =
            Self.weights.agreement * shared / united
            + Self.weights.certainty * Double(log(surest / (1 - surest)))
            + Self.weights.border * Double(border) / Double(2 * (mask.width + mask.height))
            + Self.weights.bias
        // More digits would pretend more than three features can tell.
        value = (10_000 / (1 + exp(-score))).rounded() / 10_000
    }
}
