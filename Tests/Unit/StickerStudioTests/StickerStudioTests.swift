import FoundationEssentials
import PhotoColors
import PhotoRaster
import TestSupport
import Testing

@testable import StickerStudio

@Suite("Cutting out a sticker")
struct StickerStudioTests {
    private let photo = DrawnPicture.flat(width: 300, height: 200, 220, 40, 30)

    private func sticker(_ photo: Raster, _ mask: DrawnMask, _ recipe: StickerRecipe = StickerRecipe()) throws -> Raster
    {
        let cutOut = StickerStudio(recipe: recipe).cutOut(
            photo: photo, mask: mask.plane,
            confidence: SubjectConfidence(of: DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.3).plane))
        #expect(cutOut.stickers.count <= 1)
        return try #require(cutOut.stickers.first).raster
    }

    /// How many columns from left and right, and rows from top and bottom, have no pixel above this alpha.
    private func margins(of raster: Raster, alpha: UInt8) -> [Int] {
        func isVisible(_ x: Int, _ y: Int) -> Bool { raster[x, y][3] > alpha }
        let columns = (0..<raster.width).filter { x in (0..<raster.height).contains { isVisible(x, $0) } }
        let rows = (0..<raster.height).filter { y in (0..<raster.width).contains { isVisible($0, y) } }
        return [
            columns.first ?? -1, raster.width - 1 - (columns.last ?? -1), rows.first ?? -1,
            raster.height - 1 - (rows.last ?? -1),
        ]
    }

    @Test(
        "The longer side is the recipe's, and every side has the padding, wherever the subject is",
        arguments: [
            DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.3), .disc(x: 0.6, y: 0.4, radius: 0.3),
            .disc(x: 0.02, y: 0.98, radius: 0.3), .rectangle(x: 0.05...0.95, y: 0.4...0.6),
            .rectangle(x: 0.4...0.6, y: -1...2), .rectangle(x: 0.45...0.55, y: 0.1...0.9),
            .rectangle(x: -1...2, y: -1...2),
        ],
        [
            StickerRecipe(size: 160), StickerRecipe(size: 96, outlineWidth: 3, padding: 1),
            StickerRecipe(size: 181, outlineWidth: 24, padding: 0),
            StickerRecipe(size: 200, outlineColor: nil, padding: 7),
        ])
    func geometry(mask: DrawnMask, recipe: StickerRecipe) throws {
        let raster = try sticker(DrawnPicture.flat(width: 660, height: 440, 220, 40, 30), mask, recipe)
        #expect(max(raster.width, raster.height) == recipe.size)
        for margin in margins(of: raster, alpha: recipe.hasOutline ? 127 : 2) {
            // A soft edge ends before its outermost pixel; an outline moves inwards where the subject is round.
            #expect(recipe.padding - 2...recipe.padding + (recipe.hasOutline ? 4 : 7) ~= margin)
        }
    }

    @Test("The subject keeps its proportions")
    func proportions() throws {
        // 150 × 50 pixels of the photo.
        let mask = DrawnMask.rectangle(x: 0.25...0.75, y: 0.25...0.5)
        let raster = try sticker(photo, mask, StickerRecipe(size: 132, outlineWidth: 10, padding: 6))
        #expect(raster.width == 132)
        #expect(abs(raster.height - (100 / 3 + 32)) <= 3)
    }

    @Test("The outline has the recipe's color and width all around the subject")
    func outline() throws {
        let recipe = StickerRecipe(
            size: 400, outlineWidth: 30, outlineColor: HexColor(red: 0, green: 0, blue: 255), padding: 10)
        let raster = try sticker(photo, DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.3), recipe)
        let pixels = (0..<60).map { raster[$0, raster.height / 2] }
        #expect(pixels[8] == [0, 0, 0, 0])
        #expect(pixels[13] == [0, 0, 255, 255])
        #expect(pixels[32] == [0, 0, 255, 255])
        #expect(pixels[55] == [220, 40, 30, 255])
    }

    @Test("Without an outline, the sticker has only the photo's colors")
    func noOutline() throws {
        for recipe in [StickerRecipe(size: 200, outlineColor: nil), StickerRecipe(size: 200, outlineWidth: 0)] {
            let raster = try sticker(photo, DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.3), recipe)
            let opaque = stride(from: 0, to: raster.pixels.count, by: 4).filter { raster.pixels[$0 + 3] == 255 }
            #expect(opaque.count > raster.width * raster.height / 2)
            let photos = opaque.filter { Array(raster.pixels[$0..<$0 + 3]) == [220, 40, 30] }
            #expect(Double(photos.count) > 0.98 * Double(opaque.count))
        }
    }

    @Test("Colors beyond the cut do not bleed into the subject")
    func bleeding() throws {
        let photo = Raster(width: 300, height: 200) { x, _ in x < 135 ? [0, 255, 0, 255] : [220, 40, 30, 255] }
        let raster = try sticker(
            photo, DrawnMask.rectangle(x: 0.5...0.9, y: 0.1...0.9), StickerRecipe(size: 200, outlineColor: nil))
        for base in stride(from: 0, to: raster.pixels.count, by: 4) where raster.pixels[base + 3] > 8 {
            #expect(raster.pixels[base] > 180 && raster.pixels[base + 1] < 80)
        }
    }

    @Test("Transparent parts of the photo are not part of the subject")
    func photoAlpha() throws {
        let photo = Raster(width: 300, height: 200) { x, _ in [220, 40, 30, x < 150 ? 0 : 255] }
        let raster = try sticker(photo, DrawnMask.rectangle(x: 0.25...0.75, y: 0.2...0.8), StickerRecipe(size: 200))
        // 75 × 120 pixels remain of 150 × 120.
        #expect(abs(raster.height - (120 + 38)) <= 2)
        #expect(abs(raster.width - (75 + 38)) <= 2)
    }

    @Test("A photo without a clear subject gives no sticker, but its confidence", arguments: [Float(0), 0.3, 0.5])
    func noSubject(value: Float) {
        let cutOut = StickerStudio(recipe: StickerRecipe()).cutOut(photo: photo, mask: DrawnMask.flat(value).plane)
        #expect(cutOut.stickers.isEmpty)
        #expect(0..<0.5 ~= cutOut.confidence)
    }

    @Test("A photo whose subject is transparent gives no sticker")
    func invisible() {
        let result = StickerStudio(recipe: StickerRecipe()).cutOut(
            photo: Raster(width: 300, height: 200), mask: DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.3).plane)
        #expect(result.stickers.isEmpty)
    }

    @Test("The smallest photos are cut out too", arguments: [(1, 1), (1, 40), (40, 1), (3, 2)])
    func tiny(width: Int, height: Int) throws {
        let raster = try sticker(
            DrawnPicture.flat(width: width, height: height, 9, 99, 199), DrawnMask.rectangle(x: -1...2, y: -1...2),
            StickerRecipe(size: 96))
        #expect(max(raster.width, raster.height) == max(width, height) + 38)
    }

    @Test("A small subject has the size that it has in the photo, and an outline as wide as any", arguments: [1, 1.3])
    func small(scale: Double) throws {
        // 60 × 40 pixels of the photo, if that is not reduced.
        let studio = StickerStudio(recipe: StickerRecipe())
        let subject = studio.lift(
            from: photo, mask: DrawnMask.rectangle(x: 0.4...0.6, y: 0.4...0.6).plane, scale: scale)
        let raster = try #require(studio.finish(subject, confidence: .certain).first).raster
        #expect(abs(raster.width - (Int(60 * scale) + 38)) <= 3)
        #expect(abs(raster.height - (Int(40 * scale) + 38)) <= 3)
    }

    @Test("The largest allowed sticker has the requested size")
    func largest() throws {
        let raster = try sticker(
            DrawnPicture.flat(width: 2600, height: 1000, 220, 40, 30), DrawnMask.rectangle(x: 0.1...0.9, y: 0.4...0.45),
            StickerRecipe(size: 2048))
        #expect(raster.width == 2048)
        for margin in margins(of: raster, alpha: 127) { #expect(2...7 ~= margin) }
    }

    @Test("The opacity has the photo's size and the mask's values")
    func opacity() {
        let opacity = StickerStudio(recipe: StickerRecipe()).opacity(
            mask: DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.25).plane, for: photo)
        #expect(opacity.width == photo.width && opacity.height == photo.height)
        #expect(opacity[150, 100] > 0.99)
        #expect(opacity[10, 10] < 0.01)
        #expect(opacity[70, 100] < 0.1)
        #expect(opacity[80, 100] > 0.9)
    }

    @Test(
        "A recipe has room for the subject if its margins take at most half",
        arguments: [
            (StickerRecipe(), true), (StickerRecipe(size: 76), true), (StickerRecipe(size: 75), false),
            (StickerRecipe(size: 75, outlineColor: nil), true), (StickerRecipe(outlineWidth: 125), false),
            (StickerRecipe(shadow: StickerShadow(radius: 109)), true),
            (StickerRecipe(shadow: StickerShadow(radius: 110)), false),
            (StickerRecipe(shadow: StickerShadow(opacity: 1.1)), false), (StickerRecipe(padding: -1), false),
            (StickerRecipe(size: 0, outlineWidth: 0, padding: 0), false),
        ])
    func room(recipe: StickerRecipe, expected: Bool) {
        #expect(recipe.leavesRoom == expected)
    }

    @Test(
        "A recipe is the same after encoding as JSON and decoding",
        arguments: [
            StickerRecipe(), StickerRecipe(size: 96, outlineColor: nil, padding: 0),
            StickerRecipe(shadow: StickerShadow(), subjects: .separate),
        ])
    func coding(recipe: StickerRecipe) throws {
        #expect(try JSONDecoder().decode(StickerRecipe.self, from: JSONEncoder().encode(recipe)) == recipe)
    }
}
