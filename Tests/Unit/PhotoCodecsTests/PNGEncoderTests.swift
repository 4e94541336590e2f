import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

struct PNGEncoderTests {
    @Test("A raster is decoded unchanged, including the color of transparent pixels")
    func roundTrip() throws {
        var raster = DrawnPicture.disc(width: 61, height: 47)
        for pixel in 0..<61 * 47 { raster.pixels[pixel * 4 + 3] = UInt8(pixel % 256) }
        let photo = try decode(try PNGEncoder.encode(raster), 61)
        #expect(photo.raster == raster)
        #expect(photo.hasAlpha)
    }

    @Test("A file with few colors is still RGBA, and its only ancillary chunk is sRGB")
    func chunks() throws {
        let file = try PNGEncoder.encode(DrawnPicture.flat(width: 300, height: 200, 255, 255, 255))
        #expect(DrawnPNG.chunkTypes(of: file) == ["IHDR", "sRGB", "IDAT", "IEND"])
        #expect(Array(file[24..<29]) == [8, 6, 0, 0, 0])
    }

    @Test("Gray is requested row by row and written with 8 bits")
    func gray() throws {
        var asked: [Int] = []
        let file = try PNGEncoder.encodeGray(width: 70, height: 50) { y, row in
            asked.append(y)
            for x in row.indices { row[x] = UInt8(x * 3 ^ y) }
        }
        #expect(asked == Array(0..<50))
        #expect(DrawnPNG.chunkTypes(of: file) == ["IHDR", "IDAT", "IEND"])
        #expect(Array(file[24..<29]) == [8, 0, 0, 0, 0])
        let values = pixels(try decode(file, 70)).map { $0[0] }
        #expect(values == (0..<50).flatMap { y in (0..<70).map { UInt8($0 * 3 ^ y) } })
    }
}
