import PhotoRaster
import Testing

import StickerStudio

@Suite("The matte against the truth")
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
        "Alpha misses the truth by a quarter less than the enlarged mask, and the edge's colors by half as much as the photo's",
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

    @Test("Inside of the subject colors stay, even where the matte is not quite sure")
    func inside() {
        var photo = Raster(width: 200, height: 100)
        var mask = Plane(width: 200, height: 100, filledWith: 0.001)
        for y in 0..<100 {
            for x in 0..<200 {
                let isSubject = 40..<160 ~= x && 10..<90 ~= y
                let color: [UInt8] = isSubject ? [200, UInt8(60 + x % 7), 30, 255] : [30, 60, 200, 255]
                for channel in 0..<4 { photo.pixels[(y * 200 + x) * 4 + channel] = color[channel] }
                if isSubject { mask[x, y] = 90..<110 ~= x && 40..<60 ~= y ? 0.75 : 0.999 }
            }
        }
        let subject = Matte(mask: mask, photo: photo).subject(of: photo)
        for x in 92..<108 {
            let index = (50 * 200 + x) * 4
            #expect(subject.pixels[index..<index + 4].elementsEqual(photo.pixels[index..<index + 4]))
        }
    }
}
