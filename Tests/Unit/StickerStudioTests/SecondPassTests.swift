import PhotoRaster
import TestSupport
import Testing

@testable import StickerStudio

@Suite("The second pass of the network over a photo")
struct SecondPassTests {
    private let studio = StickerStudio(recipe: StickerRecipe())
    private let raster = DrawnPicture.flat(width: 1000, height: 750, 9, 9, 9)

    /// - Parameter certainty: the probability of the subject's pixels; 1 also makes its edge hard.
    private func secondPass(
        _ mask: DrawnMask, certainty: Float = 1, photoWidth: Int = 4000, photoHeight: Int = 3000
    ) -> SecondPass? {
        var plane = mask.plane
        for index in plane.values.indices {
            plane.values[index] = certainty == 1 ? plane.values[index].rounded() : plane.values[index] * certainty
        }
        return studio.secondPass(mask: plane, at: raster, photoWidth: photoWidth, photoHeight: photoHeight)
    }

    @Test("The region of the second pass includes the subject's surroundings and stays within the photo")
    func small() throws {
        // 800 × 600 pixels of the full photo, from 800, 900 on.
        let region = try #require(secondPass(.rectangle(x: 0.2...0.4, y: 0.3...0.5))).region
        #expect(abs(region.x - 680) < 20 && abs(region.y - 780) < 20)
        #expect(abs(region.width - 1040) < 40 && abs(region.height - 840) < 40)
        let corner = try #require(secondPass(.disc(x: 0.02, y: 0.98, radius: 0.1))).region
        #expect(corner.x == 0 && corner.y + corner.height == 3000)
    }

    @Test("The photo is decoded again only if it has detail that the sticker needs")
    func detail() throws {
        let small = DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.1)
        #expect(try #require(secondPass(small, certainty: 0.9)).bounds == nil)
        for (width, height) in [(1000, 750), (1200, 900)] {
            let pass = try #require(secondPass(small, certainty: 0.9, photoWidth: width, photoHeight: height))
            #expect(pass.bounds != nil)
        }
        #expect(try #require(secondPass(.rectangle(x: 0.2...0.8, y: 0.2...0.8), certainty: 0.9)).bounds != nil)
    }

    @Test("A region of the working raster consists of whole pixels, and is the same place of the photo")
    func wholePixels() throws {
        let pass = try #require(
            secondPass(.rectangle(x: 0...0.6, y: 0.2...0.7), certainty: 0.9, photoWidth: 3000, photoHeight: 2250))
        let bounds = try #require(pass.bounds)
        #expect(bounds.x == 0 && abs(bounds.width - 690) < 6)
        #expect(abs(bounds.y - 60) < 6 && abs(bounds.height - 555) < 6)
        #expect(abs(pass.region.x - 3 * Double(bounds.x)) < 1e-6 && abs(pass.region.y - 3 * Double(bounds.y)) < 1e-6)
        #expect(abs(pass.region.width - 3 * Double(bounds.width)) < 1e-6)
        #expect(abs(pass.region.height - 3 * Double(bounds.height)) < 1e-6)
    }

    @Test("The cropped raster has the region's pixels", arguments: [(0, 0), (2, 1), (3, 2)])
    func crop(x: Int, y: Int) {
        func pixels(_ columns: Range<Int>, _ rows: Range<Int>) -> [UInt8] {
            rows.flatMap { row -> [UInt8] in
                columns.flatMap { column -> [UInt8] in [UInt8(column), UInt8(row), 0, 255] }
            }
        }
        let raster = Raster(width: 5, height: 4, pixels: pixels(0..<5, 0..<4))
        let cropped = raster.cropped(to: PixelBounds(x: x, y: y, width: 2, height: 2))
        #expect(cropped == Raster(width: 2, height: 2, pixels: pixels(x..<x + 2, y..<y + 2)))
    }

    @Test("There is no second pass for a certain mask without more detail, a subject that fills the photo, or none")
    func needless() {
        #expect(secondPass(.rectangle(x: 0.02...0.98, y: 0.02...0.98), certainty: 0.9) == nil)
        #expect(secondPass(.rectangle(x: 0.02...0.98, y: 0.02...0.98)) == nil)
        #expect(secondPass(.rectangle(x: 0.2...0.8, y: 0.2...0.8)) == nil)
        #expect(secondPass(.disc(x: 0.5, y: 0.5, radius: 0.1), photoWidth: 1000, photoHeight: 750) == nil)
        #expect(secondPass(.flat(0)) == nil)
    }

    @Test("If both masks agree, the result lies between them; otherwise the first mask stays")
    func fusing() {
        let first = DrawnMask.disc(x: 0.3, y: 0.5, radius: 0.1).plane
        // The middle of the left half, so that the disc appears four times as large.
        let region = PixelRect(x: 250, y: 1125, width: 1000 * 0.875 + 75, height: 750)
        func fused(_ second: Plane) -> Plane {
            studio.mask(first: first, second: second, region: region, photoWidth: 4000, photoHeight: 3000)
        }
        let known = fused(DrawnMask.flat(0).plane)
        #expect(known == fused(DrawnMask.disc(x: 0.9, y: 0.1, radius: 0.2).plane))
        #expect((known.values.max() ?? 0) > 0.9)

        var second = known
        for index in second.values.indices { second.values[index] = second.values[index] > 0.5 ? 1 : 0 }
        let both = fused(second)
        #expect(zip(both.values, second.values).allSatisfy { abs($0 - $1) <= 0.21 })
        #expect(both != known)
    }
}
