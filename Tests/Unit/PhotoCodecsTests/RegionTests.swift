import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

struct RegionTests {
    private static func photo(isPNG: Bool, isInterlaced: Bool = false, orientation: Int = 1, late: Bool = false)
        -> [UInt8]
    {
        let exif = DrawnExif.block(orientation: orientation)
        guard isPNG else {
            var drawn = DrawnJPEG(width: 200, height: 120) { x, y in [UInt8(x * 10), UInt8(y * 15), 7] }
            drawn.exif = exif
            return drawn.bytes()
        }
        let chunk = [("eXIf", exif)]
        return DrawnPNG(
            width: 200, height: 120, colorType: 2, isInterlaced: isInterlaced, chunks: late ? [] : chunk,
            chunksAfterPicture: late ? chunk : [], samples: { x, y in [x, y, 7] }
        ).bytes()
    }

    private func part(of bytes: [UInt8], _ region: PixelRect, workingSide: Int = 960) throws -> DecodedPhoto {
        try PhotoDecoder().decode(.bytes(bytes), workingSide: workingSide, region: region)
    }

    /// The pixels of a whole photo's raster at a part's position.
    private func isPart(_ part: DecodedPhoto, of whole: Raster) -> Bool {
        let (x, y) = (Int(part.region.x), Int(part.region.y))
        return (0..<part.raster.height).allSatisfy { row in
            (0..<part.raster.width).allSatisfy { part.raster[$0, row] == whole[x + $0, y + row] }
        }
    }

    @Test("A region equals that part of the whole photo, in every orientation", arguments: 1...8, [false, true])
    func orientations(value: Int, isPNG: Bool) throws {
        let bytes = Self.photo(isPNG: isPNG, orientation: value)
        let whole = try decode(bytes, 960)
        for region in [
            PixelRect(x: 0, y: 0, width: 31, height: 9), PixelRect(x: 37, y: 11, width: 40, height: 70),
            PixelRect(x: 99, y: 110, width: 5, height: 3),
        ] {
            let part = try part(of: bytes, region)
            #expect(part.region == region)
            #expect((part.raster.width, part.raster.height) == (Int(region.width), Int(region.height)))
            #expect((part.photoWidth, part.photoHeight) == (whole.photoWidth, whole.photoHeight))
            #expect(isPart(part, of: whole.raster))
        }
    }

    @Test(
        "A region of an interlaced PNG, or of one with its orientation at the end, equals that part of the photo",
        arguments: [false, true], [false, true])
    func png(isInterlaced: Bool, late: Bool) throws {
        let bytes = Self.photo(isPNG: true, isInterlaced: isInterlaced, orientation: 6, late: late)
        let part = try part(of: bytes, PixelRect(x: 13, y: 21, width: 50, height: 90))
        #expect(isPart(part, of: try decode(bytes, 960).raster))
        let small = try self.part(of: bytes, PixelRect(x: 13, y: 21, width: 50, height: 90), workingSide: 20)
        #expect((small.raster.width, small.raster.height) == (13, 23))
    }

    @Test("Fractions are rounded outward, and parts outside the photo are cropped", arguments: [false, true])
    func rounding(isPNG: Bool) throws {
        let bytes = Self.photo(isPNG: isPNG)
        func covered(_ x: Double, _ y: Double, _ width: Double, _ height: Double) throws -> PixelRect {
            try part(of: bytes, PixelRect(x: x, y: y, width: width, height: height)).region
        }
        #expect(try covered(10.5, 20.2, 3, 3) == PixelRect(x: 10, y: 20, width: 4, height: 4))
        #expect(try covered(-50, -50, 60, 55) == PixelRect(x: 0, y: 0, width: 10, height: 5))
        #expect(try covered(190, 100, 1e18, 1e18) == PixelRect(x: 190, y: 100, width: 10, height: 20))
        #expect(try covered(500, 500, 10, 10) == PixelRect(x: 199, y: 119, width: 1, height: 1))
        #expect(try covered(-1e12, 0, 1e12, 120) == PixelRect(x: 0, y: 0, width: 1, height: 120))
    }

    @Test("A JPEG's region is scaled by its own size, and reports what its pixels cover")
    func scaled() throws {
        let bytes = Self.photo(isPNG: false)
        // 100 pixels at 2/8 still cover 25.
        let part = try part(of: bytes, PixelRect(x: 81, y: 41, width: 98, height: 38), workingSide: 25)
        #expect(part.region == PixelRect(x: 80, y: 40, width: 100, height: 40))
        #expect((part.raster.width, part.raster.height) == (25, 10))
        let whole = try decode(bytes, 50)
        #expect(pixels(part)[0] == pixels(whole)[10 * 50 + 20])
    }

    @Test("Without a region the whole photo is covered")
    func whole() throws {
        let photo = try decode(Self.photo(isPNG: false, orientation: 6), 30)
        #expect(photo.region == PixelRect(x: 0, y: 0, width: 120, height: 200))
    }
}
