import PhotoRaster
import Testing

@testable import PhotoCodecs
@testable import StickerStudio

struct BackdropTests {
    private static let subject = Plane(width: 40, height: 30).with(1, at: (x: 20, y: 10))

    private func part(_ color: [UInt8], transparentFrom column: Int = 20) -> DecodedPhoto {
        var raster = Raster(width: 20, height: 30)
        for index in 0..<20 * 30 {
            let isThere = index % 20 < column
            let pixel = isThere ? color + [255] : [0, 0, 0, 0]
            for channel in 0..<4 { raster.pixels[index * 4 + channel] = pixel[channel] }
        }
        return DecodedPhoto(
            raster: raster, photoWidth: 400, photoHeight: 300,
            region: PixelRect(x: 200, y: 0, width: 200, height: 300), format: .heif, hasAlpha: column < 20,
            isThumbnail: false, flaw: nil)
    }

    /// The left half is black, the right half green.
    private var thumbnail: Raster {
        var raster = Raster(width: 40, height: 30)
        for index in 0..<40 * 30 {
            raster.pixels[index * 4 + 1] = index % 40 < 20 ? 0 : 200
            raster.pixels[index * 4 + 3] = 255
        }
        return raster
    }

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
        for index in 0..<20 * 30 {
            let pixel = Array(whole.pixels[index * 4..<index * 4 + 4])
            // The first columns are near the border of both halves.
            if index % 20 >= 7 { #expect(pixel == [0, 200, 0, 255]) } else { #expect(pixel == [10, 190, 10, 255]) }
        }
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
        let mask = Plane(width: 20, height: 30).with(1, at: (x: 12, y: 5))
        #expect(Backdrop.isShown(by: mask, in: part([0, 200, 0], transparentFrom: 13)))
        #expect(!Backdrop.isShown(by: mask, in: part([0, 200, 0], transparentFrom: 12)))
    }
}

extension Plane {
    fileprivate func with(_ value: Float, at place: (x: Int, y: Int)) -> Plane {
        var plane = self
        plane[place.x, place.y] = value
        return plane
    }
}
