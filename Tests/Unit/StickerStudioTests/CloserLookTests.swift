import PhotoRaster
import TestSupport
import Testing

import StickerStudio

@Suite("The second pass over a small subject")
struct CloserLookTests {
    private let studio = StickerStudio(recipe: StickerRecipe())
    private let raster = DrawnPicture.flat(width: 1000, height: 750, 9, 9, 9)

    private func region(_ mask: DrawnMask, photoWidth: Int = 4000, photoHeight: Int = 3000) -> PixelRect? {
        studio.closerLook(mask: mask.plane, at: raster, photoWidth: photoWidth, photoHeight: photoHeight)
    }

    @Test("The region of the second pass includes the subject's surroundings and stays within the photo")
    func small() throws {
        // 800 × 600 pixels of the full photo, from 800, 900 on.
        let region = try #require(self.region(.rectangle(x: 0.2...0.4, y: 0.3...0.5)))
        #expect(abs(region.x - 640) < 20 && abs(region.y - 740) < 20)
        #expect(abs(region.width - 1120) < 40 && abs(region.height - 920) < 40)
        let corner = try #require(self.region(.disc(x: 0.02, y: 0.98, radius: 0.1)))
        #expect(corner.x == 0 && corner.y + corner.height == 3000)
    }

    @Test("There is no second pass for a large subject, a photo without more detail, or an empty mask")
    func needless() {
        #expect(region(.rectangle(x: 0.2...0.8, y: 0.2...0.8)) == nil)
        #expect(region(.disc(x: 0.5, y: 0.5, radius: 0.1), photoWidth: 1000, photoHeight: 750) == nil)
        #expect(region(.disc(x: 0.5, y: 0.5, radius: 0.1), photoWidth: 1200, photoHeight: 900) == nil)
        #expect(region(.flat(0)) == nil)
    }

    @Test("If both masks agree, the result lies between them; otherwise the first mask stays")
    func fusing() {
        let first = DrawnMask.disc(x: 0.3, y: 0.5, radius: 0.1).plane
        // The middle of the left half, so that the disc appears four times as large.
        let region = PixelRect(x: 250, y: 1125, width: 1000 * 0.875 + 75, height: 750)
        func fused(_ closer: Plane) -> Plane {
            studio.mask(first: first, closer: closer, region: region, photoWidth: 4000, photoHeight: 3000)
        }
        let known = fused(DrawnMask.flat(0).plane)
        #expect(known == fused(DrawnMask.disc(x: 0.9, y: 0.1, radius: 0.2).plane))
        #expect((known.values.max() ?? 0) > 0.9)

        var closer = known
        for index in closer.values.indices { closer.values[index] = closer.values[index] > 0.5 ? 1 : 0 }
        let both = fused(closer)
        #expect(zip(both.values, closer.values).allSatisfy { abs($0 - $1) <= 0.26 })
        #expect(both != known)
    }
}
