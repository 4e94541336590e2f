import PhotoRaster
import TestSupport
import Testing

@testable import PhotoCodecs
@testable import StickerStudio

struct BackdropTests {
    private static let subject = Plane(width: 40, height: 30) { x, y in x == 20 && y == 10 ? 1 : 0 }

    private func part(_ color: [UInt8], transparentFrom column: Int = 20) -> DecodedPhoto {
        DecodedPhoto(
            raster: Raster(width: 20, height: 30) { x, _ in x < column ? color + [255] : [0, 0, 0, 0] },
            photoWidth: 400, photoHeight: 300,
            region: PixelRect(x: 200, y: 0, width: 200, height: 300), format: .heif, hasAlpha: column < 20,
            isThumbnail: false, flaw: nil)
    }

    /// The left half is black, the right half green.
    private let thumbnail = Raster(width: 40, height: 30) { x, _ in [0, x < 20 ? 0 : 200, 0, 255] }

    @Test("The cells that may show the subject and those next to them are needed")
    func cells() {
        let needed = Backdrop(thumbnail, mask: Self.subject).needed
        #expect((needed.width, needed.height) == (10, 8))
        let found = needed.values.indices.filter { needed.values[$0] > 0 }.map { [$0 % 10, $0 / 10] }
        #expect(found == (1...3).flatMap { row in (4...6).map { [$0, row] } })
    }

    @Test(
        "A region is decoded as closely as the whole photo if that suffices",
        arguments: [(400, 100), (300, 75), (280, 70), (279, 100), (100, 100)])
    func workingSide(width: Int, expected: Int) {
        let region = PixelRect(x: 0, y: 0, width: Double(width), height: 10)
        #expect(Backdrop.workingSide(for: region, of: part([0, 0, 0]), whole: 100) == expected)
    }

    @Test("What is not decoded shows the same place in the thumbnail")
    func completes() throws {
        let backdrop = Backdrop(thumbnail, mask: Self.subject)
        let whole = try #require(backdrop.completed(part([10, 190, 10], transparentFrom: 7)))
        // The first columns are near the border of both halves.
        let expected = Raster(width: 20, height: 30) { x, _ in x >= 7 ? [0, 200, 0, 255] : [10, 190, 10, 255] }
        #expect(whole == expected)
    }

    @Test("A thumbnail of another picture is noticed")
    func other() {
        let backdrop = Backdrop(thumbnail, mask: Self.subject)
        #expect(backdrop.completed(part([200, 0, 0], transparentFrom: 7)) == nil)
        #expect(backdrop.completed(part([200, 0, 0])) == nil)
    }

    @Test("A thumbnail whose subject is elsewhere is noticed, although most of both is alike")
    func moved() {
        let backdrop = Backdrop(thumbnail, mask: Self.subject)
        var part = part([0, 200, 0])
        // The subject's only pixel.
        part.raster.pixels[10 * 20 * 4 + 1] = 100
        #expect(backdrop.completed(part) == nil)
    }

    @Test("A mask that shows more than was decoded is noticed")
    func hidden() {
        let mask = Plane(width: 20, height: 30) { x, y in x == 12 && y == 5 ? 1 : 0 }
        #expect(Backdrop.isShown(by: mask, in: part([0, 200, 0], transparentFrom: 13)))
        #expect(!Backdrop.isShown(by: mask, in: part([0, 200, 0], transparentFrom: 12)))
    }
}
