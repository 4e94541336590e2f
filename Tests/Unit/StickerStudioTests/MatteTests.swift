import PhotoRaster
import Testing

import StickerStudio

@Suite("The matte, compared with a known one")
struct MatteTests {
    private struct Case: CustomStringConvertible {
        let softness: Float
        let hairs: Int
        let background: DrawnSubject.Background

        var description: String { "an edge of \(softness) pixels, \(hairs) hairs, \(background)" }
    }

    private static let cases = DrawnSubject.Background.allCases.flatMap { background in
        [(1.5, 0), (4.5, 0), (2, 120)].map { Case(softness: $0, hairs: $1, background: background) }
    }

    @Test(
        "Alpha's error is at most 3/4 of the enlarged mask's, and the edge colors' error half of the photo's",
        arguments: cases)
    private func truth(drawn: Case) {
        let subject = DrawnSubject(softness: drawn.softness, hairs: drawn.hairs, background: drawn.background)
        let mask = subject.mask
        let enlarged = mask.resampled(width: subject.photo.width, height: subject.photo.height, kernel: .area)
        let matte = Matte(mask: mask, photo: subject.photo)
        let alphaRatio = subject.error(of: matte.plane) / subject.error(of: enlarged)
        #expect(alphaRatio < 0.75)
        let colorRatio =
            subject.colorError(of: matte.subject(of: subject.photo)) / subject.colorError(of: subject.photo)
        #expect(colorRatio < 0.5)
    }

    @Test("The background is removed from colors only near the cut, however uncertain the matte is elsewhere")
    func inside() {
        let subject = DrawnSubject(softness: 4.5, hairs: 0, background: .smooth)
        let matte = Matte(mask: subject.mask, photo: subject.photo)
        let uncut = Plane(width: subject.photo.width, height: subject.photo.height, filledWith: 1)
        #expect(matte.subject(of: subject.photo, cutWith: uncut).pixels == subject.photo.pixels)
        #expect(matte.subject(of: subject.photo).pixels != subject.photo.pixels)
    }
}
