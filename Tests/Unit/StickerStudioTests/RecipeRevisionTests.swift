import LinuxIO
import PhotoRaster
import StickerStudio
import TestSupport
import Testing

/// Outdated stickers are recognized only by their recipe (`stickerd remake --changed`), so pixels must not change under
/// the same revision. The network is not tested here, because its weights are part of the recipe; nor are the encoders,
/// which come from the system.
@Suite("The revision of recipes")
struct RecipeRevisionTests {
    /// SHA-256 of all pixels of the drawn cases, by revision. If the test fails because pixels were meant to change,
    /// increase `Recipe.currentRevision` and enter the digest that the failure shows under the new number.
    private static let digests = [19: "dda4645826e1271dd14187d69ea4f65a03636d9c243e9de345c2d31d720cf46e"]

    @Test("Pixels change only with the revision")
    func pixels() throws {
        var pixels: [UInt8] = []
        for (photo, mask, recipe) in try Self.cases + [Self.secondPass()] {
            let cutOut = StickerStudio(recipe: recipe).cutOut(
                photo: photo, mask: mask,
                confidence: SubjectConfidence(of: DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.3).plane))
            #expect(!cutOut.stickers.isEmpty)
            for sticker in cutOut.stickers {
                pixels += [sticker.raster.width, sticker.raster.height].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
                pixels += sticker.raster.pixels
            }
        }
        let digest = try ContentDigest.sha256(of: pixels).hex
        #expect(Self.digests[Recipe.currentRevision] == digest, "the pixels' digest is \(digest)")
    }

    /// Drawn without functions whose last bit depends on the C library.
    private static var cases: [(photo: Raster, mask: Plane?, recipe: StickerRecipe)] {
        let photo = noisy(DrawnPicture.disc(width: 400, height: 300))
        let middle = DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.3).plane
        let apart = DrawnMask.disc(x: 0.15, y: 0.5, radius: 0.12).plane
            .joined(with: DrawnMask.rectangle(x: 0.75...0.95, y: 0.3...0.7).plane)
        var transparent = photo
        for index in 0..<400 * 300 where index % 400 < 90 { transparent.pixels[index * 4 + 3] = UInt8(index % 400) }
        return [
            (photo, middle, StickerRecipe()),
            (photo, foggy(middle), StickerRecipe()),
            (photo, apart, StickerRecipe()),
            (photo, apart, StickerRecipe(subjects: .together)),
            (
                photo, middle,
                StickerRecipe(
                    size: 200, outlineWidth: 9, outlineColor: nil,
                    shadow: StickerShadow(opacity: 0.5, radius: 8, offset: 3), padding: 6)
            ),
            (transparent, nil, StickerRecipe(size: 300)),
        ]
    }

    /// The region around a small, undecided subject, with the mask of two passes.
    private static func secondPass() throws -> (photo: Raster, mask: Plane?, recipe: StickerRecipe) {
        let recipe = StickerRecipe()
        let studio = StickerStudio(recipe: recipe)
        let photo = noisy(DrawnPicture.disc(width: 400, height: 300))
        var first = DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.2).plane
        for index in first.values.indices { first.values[index] *= 0.875 }
        let pass = try #require(studio.secondPass(mask: first, at: photo, photoWidth: 400, photoHeight: 300))
        let fused = studio.mask(
            first: first, second: DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.375).plane, region: pass.region,
            photoWidth: 400, photoHeight: 300)
        return (photo.cropped(to: try #require(pass.bounds)), fused, recipe)
    }

    private static func noisy(_ raster: Raster) -> Raster {
        var random = TestRandom(state: 7)
        var raster = raster
        for index in raster.pixels.indices where index % 4 < 3 {
            raster.pixels[index] = UInt8(clamping: Int(raster.pixels[index]) + Int(random.next() % 25) - 12)
        }
        return raster
    }

    /// Undecided to the right of the middle.
    private static func foggy(_ mask: Plane) -> Plane {
        var mask = mask
        for index in mask.values.indices where index % mask.width > mask.width / 2 {
            mask.values[index] = mask.values[index] * 0.25 + 0.375
        }
        return mask
    }
}
