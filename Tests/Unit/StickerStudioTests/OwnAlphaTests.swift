import PhotoRaster
import TestSupport
import Testing

import StickerStudio

@Suite("Photos that are already cut out")
struct OwnAlphaTests {
    /// A disc with a soft edge whose transparent pixels keep the color.
    private func photo(radius: Double, red: UInt8 = 30) -> Raster {
        Raster(width: 200, height: 160) { x, y in
            let distance = SIMD2(Double(x) - 99.5, Double(y) - 79.5)
            let inside = radius - (distance * distance).sum().squareRoot()
            return [red, 200, 90, UInt8(min(max(inside / 8 + 0.5, 0), 1) * 255)]
        }
    }

    @Test("The photo's alpha is the matte, with its soft edges, and colors stay unchanged")
    func matte() throws {
        let photo = photo(radius: 50)
        #expect(photo.isCutOut)
        let recipe = StickerRecipe(size: 120, outlineColor: nil, padding: 6)
        let studio = StickerStudio(recipe: recipe)
        let matte = studio.opacity(mask: nil, for: photo)
        #expect(matte.values.indices.allSatisfy { matte.values[$0] == Float(photo.pixels[$0 * 4 + 3]) * (1.0 / 255) })

        let cutOut = studio.cutOut(photo: photo, mask: nil)
        #expect(cutOut.confidence == 1)
        let sticker = try #require(cutOut.stickers.first).raster
        let soft = stride(from: 0, to: sticker.pixels.count, by: 4).filter { 20..<235 ~= sticker.pixels[$0 + 3] }
        #expect(soft.count > 300)
        #expect(soft.allSatisfy { abs(Int(sticker.pixels[$0]) - 30) < 3 && abs(Int(sticker.pixels[$0 + 1]) - 200) < 3 })
    }

    @Test("Strokes thinner than a sticker's pixel stay visible, with an outline")
    func strokes() throws {
        var drawing = Raster(width: 900, height: 900)
        for line in stride(from: 100, to: 800, by: 100) {
            for x in 100..<800 { drawing.pixels[(line * 900 + x) * 4 + 3] = 255 }
        }
        let sticker = try #require(
            StickerStudio(recipe: StickerRecipe(size: 200)).cutOut(photo: drawing, mask: nil).stickers.first)
        let opaque = stride(from: 3, to: sticker.raster.pixels.count, by: 4).count { sticker.raster.pixels[$0] == 255 }
        #expect(opaque > 200 * 200 / 2)
    }

    @Test("A fully transparent photo gives no sticker")
    func empty() {
        #expect(
            StickerStudio(recipe: StickerRecipe()).cutOut(photo: Raster(width: 9, height: 9), mask: nil).stickers
                .isEmpty)
    }

    @Test("A screenshot with transparent round corners is not cut out")
    func corners() {
        #expect(!photo(radius: 127).isCutOut)
        #expect(!DrawnPicture.flat(width: 20, height: 20, 1, 2, 3).isCutOut)
    }
}
