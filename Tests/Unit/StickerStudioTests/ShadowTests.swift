import PhotoRaster
import TestSupport
import Testing

import StickerStudio

@Suite("A sticker's shadow")
struct ShadowTests {
    private let photo = DrawnPicture.flat(width: 600, height: 400, 220, 40, 30)

    private func sticker(_ shadow: StickerShadow?, size: Int = 300) throws -> Raster {
        let recipe = StickerRecipe(size: size, outlineWidth: 10, shadow: shadow, padding: 3)
        let cutOut = StickerStudio(recipe: recipe).cutOut(
            photo: photo, mask: DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.3).plane)
        return try #require(cutOut.stickers.first).raster
    }

    /// The first and last visible row.
    private func rows(of raster: Raster) -> [Int] {
        let rows = (0..<raster.height).filter { y in (0..<raster.width).contains { raster[$0, y][3] > 0 } }
        return [rows.first ?? -1, rows.last ?? -1]
    }

    @Test(
        "The shadow ends within the padding and is moved by its offset",
        arguments: [(12, 0), (20, 8), (6, 15), (10, -6), (0, 4), (1, 0)])
    func reach(radius: Int, offset: Int) throws {
        let shadow = StickerShadow(opacity: 1, radius: radius, offset: offset)
        let raster = try sticker(shadow)
        #expect(max(raster.width, raster.height) == 300)
        let rows = rows(of: raster)
        // Less than one step of alpha is invisible.
        let faint = 2 + radius / 3
        #expect(3 - 1...3 + faint ~= rows[0])
        #expect(3 - 1...3 + faint ~= raster.height - 1 - rows[1])
    }

    @Test("A shadow that is moved beyond the padding keeps its shape", arguments: [40, 12, 4, -4, -40])
    func moved(offset: Int) throws {
        /// The alphas of a column left of a bar, and the bar's first row.
        func column(_ offset: Int) throws -> (alphas: [Int], top: Int) {
            let shadow = StickerShadow(opacity: 1, radius: 12, offset: offset)
            let recipe = StickerRecipe(size: 300, outlineColor: nil, shadow: shadow, padding: 4)
            let bar = DrawnPicture.flat(width: 200, height: 40, 220, 40, 30)
            let raster = try #require(StickerStudio(recipe: recipe).cutOut(photo: bar, mask: nil).stickers.first).raster
            let alphas = (0..<raster.height).map { Int(raster[13, $0][3]) }
            return (alphas, max(12 - offset, 0) + 4)
        }
        let (still, top) = try column(0)
        #expect(still.contains { $0 > 50 })
        let (moved, movedTop) = try column(offset)
        for (row, alpha) in moved.enumerated() {
            let source = row - movedTop - offset + top
            #expect(abs(alpha - (still.indices.contains(source) ? still[source] : 0)) <= 2)
        }
    }

    @Test("The shadow is black, fades with distance and is never darker than its opacity", arguments: [0.2, 0.6])
    func darkness(opacity: Double) throws {
        let raster = try sticker(StickerShadow(opacity: opacity, radius: 15, offset: 10))
        let below = (raster.height - 26..<raster.height).map { raster[raster.width / 2, $0] }
        #expect(below.allSatisfy { $0[0] == 0 && $0[1] == 0 && $0[2] == 0 })
        #expect(zip(below, below.dropFirst()).allSatisfy { $0[3] >= $1[3] })
        #expect(below[0][3] <= UInt8(opacity * 255 + 1))
        #expect(below[0][3] > UInt8(opacity * 150))
        #expect(below[25][3] == 0)
    }

    @Test("The sticker above the shadow stays unchanged")
    func sticker() throws {
        let plain = try sticker(nil, size: 260)
        // As large as without: 20 pixels more for the shadow on either side.
        let shaded = try sticker(StickerShadow(opacity: 0.5, radius: 20, offset: 0), size: 300)
        for y in 0..<plain.height {
            for x in 0..<plain.width where plain[x, y][3] == 255 { #expect(plain[x, y] == shaded[x + 20, y + 20]) }
        }
    }
}
