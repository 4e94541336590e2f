import PhotoRaster
import Testing

@testable import StickerStudio

@Suite("Whether a larger sticker shows the same")
struct StickerAgreementTests {
    private let sticker = drawn(side: 60) { _, _ in [200, 40, 90, 255] }

    @Test("The same at a larger size does, also with sides that are a few pixels off", arguments: [240, 236, 243])
    func same(_ side: Int) {
        #expect(StickerAgreement.hold(sticker, Self.drawn(side: side) { _, _ in [200, 40, 90, 255] }))
    }

    @Test("A sticker that lacks a part of the subject does not: transparent, or filled with the outline's color")
    func missingPart() {
        let hole = Self.drawn(side: 240) { x, y in x < 0.4 && y < 0.5 ? [0, 0, 0, 0] : [200, 40, 90, 255] }
        let filled = Self.drawn(side: 240) { x, y in x < 0.4 && y < 0.5 ? [255, 255, 255, 255] : [200, 40, 90, 255] }
        #expect(!StickerAgreement.hold(sticker, hole))
        #expect(!StickerAgreement.hold(sticker, filled))
    }

    @Test("Colors of transparent pixels do not count")
    func transparent() {
        let other = Self.drawn(side: 240, outside: [255, 255, 255, 0]) { _, _ in [200, 40, 90, 255] }
        #expect(StickerAgreement.hold(sticker, other))
    }

    /// A disk that touches all sides.
    private static func drawn(
        side: Int, outside: [UInt8] = [0, 0, 0, 0], color: (_ x: Double, _ y: Double) -> [UInt8]
    ) -> Raster {
        var raster = Raster(width: side, height: side)
        for y in 0..<side {
            for x in 0..<side {
                let (across, down) = ((Double(x) + 0.5) / Double(side), (Double(y) + 0.5) / Double(side))
                let (dx, dy) = (across - 0.5, down - 0.5)
                let pixel = dx * dx + dy * dy < 0.25 ? color(across, down) : outside
                for channel in 0..<4 { raster.pixels[(y * side + x) * 4 + channel] = pixel[channel] }
            }
        }
        return raster
    }
}
