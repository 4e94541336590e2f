import PhotoRaster
import Testing

import StickerStudio

@Suite("Thin parts of a subject")
struct ThinPartsTests {
    /// The fraction of the legs' pixels with an opacity above 0.5.
    private func kept(_ opacity: Plane, of subject: DrawnSubject) -> Double {
        let legs = subject.legs.indices.filter { subject.legs[$0] }
        return Double(legs.count { opacity.values[$0] >= 0.5 }) / Double(legs.count)
    }

    @Test(
        "Legs and antennae stay complete, whatever the background", arguments: DrawnSubject.Background.allCases,
        [Float(2), 3, 5])
    func legs(background: DrawnSubject.Background, thickness: Float) {
        let subject = DrawnSubject(softness: 2, hairs: 0, background: background, legs: 8, legThickness: thickness)
        let opacity = StickerStudio(recipe: StickerRecipe()).opacity(mask: subject.mask, for: subject.photo)
        #expect(kept(opacity, of: subject) > 0.94)
    }
}
