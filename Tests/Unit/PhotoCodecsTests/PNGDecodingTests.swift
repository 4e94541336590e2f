import PhotoCodecs
import PhotoRaster
import Testing

struct PNGDecodingTests {
    /// A PNG variant, one pixel as stored, and the expected color.
    struct Form: Sendable, CustomTestStringConvertible {
        let colorType: UInt8
        let depth: Int
        var chunks: [(String, [UInt8])] = []
        let stored: [Int]
        let expected: [UInt8]

        var testDescription: String { "type \(colorType), \(depth) bits, \(chunks.map(\.0))" }
    }

    static let palette: (String, [UInt8]) = ("PLTE", [9, 9, 9, 10, 20, 30])

    static let forms = [
        Form(colorType: 0, depth: 1, stored: [1], expected: [255, 255, 255, 255]),
        Form(colorType: 0, depth: 2, stored: [1], expected: [85, 85, 85, 255]),
        Form(colorType: 0, depth: 4, stored: [3], expected: [51, 51, 51, 255]),
        Form(colorType: 0, depth: 8, stored: [77], expected: [77, 77, 77, 255]),
        Form(colorType: 0, depth: 16, stored: [0x80FF], expected: [128, 128, 128, 255]),
        Form(colorType: 0, depth: 8, chunks: [("tRNS", [0, 77])], stored: [77], expected: [77, 77, 77, 0]),
        Form(colorType: 2, depth: 8, stored: [1, 2, 3], expected: [1, 2, 3, 255]),
        Form(
            colorType: 2, depth: 8, chunks: [("tRNS", [0, 1, 0, 2, 0, 3])], stored: [1, 2, 3], expected: [1, 2, 3, 0]),
        // Scaled and rounded, not truncated: 0x01FF / 257 = 1.99.
        Form(colorType: 2, depth: 16, stored: [0x01FF, 0xFFFF, 0], expected: [2, 255, 0, 255]),
        Form(colorType: 3, depth: 1, chunks: [palette], stored: [1], expected: [10, 20, 30, 255]),
        Form(
            colorType: 3, depth: 8, chunks: [palette, ("tRNS", [255, 40])], stored: [1], expected: [10, 20, 30, 40]),
        Form(colorType: 4, depth: 8, stored: [70, 80], expected: [70, 70, 70, 80]),
        Form(colorType: 6, depth: 8, stored: [1, 2, 3, 4], expected: [1, 2, 3, 4]),
        Form(colorType: 6, depth: 16, stored: [0, 0xFFFF, 0x0101, 0x8080], expected: [0, 255, 1, 128]),
    ]

    @Test("Every color type and depth is converted to RGBA", arguments: forms, [false, true])
    func colors(form: Form, isInterlaced: Bool) throws {
        let drawn = DrawnPNG(
            width: 9, height: 5, colorType: form.colorType, depth: form.depth, isInterlaced: isInterlaced,
            chunks: form.chunks, samples: { _, _ in form.stored })
        let photo = try decode(drawn.bytes(), 960)
        #expect((photo.raster.width, photo.raster.height) == (9, 5))
        #expect(pixels(photo).allSatisfy { $0 == form.expected })
        #expect(photo.hasAlpha == (form.expected[3] != 255))
        #expect(photo.format == .png)
    }

    @Test("An interlaced image is the same as a plain one at every working size", arguments: [1, 2, 3, 7, 12, 24, 40])
    func interlaced(workingSide: Int) throws {
        var drawn = DrawnPNG(
            width: 37, height: 23, colorType: 6, samples: { x, y in [x * 6, y * 11, (x * y) % 256, (x + y) * 4] })
        let plain = try decode(drawn.bytes(), workingSide)
        drawn.isInterlaced = true
        #expect(try decode(drawn.bytes(), workingSide).raster == plain.raster)
        let longer = max(plain.raster.width, plain.raster.height)
        #expect((min(workingSide, 37)..<2 * workingSide).contains(longer))
    }

    @Test("An interlaced image has all blocks in memory at once, bounded by the limit")
    func memory() throws {
        var drawn = DrawnPNG(width: 64, height: 64, colorType: 0, samples: { _, _ in [5] })
        var limits = DecodeLimits()
        limits.maxMemory = 20_000
        let decoder = PhotoDecoder(limits: limits)
        #expect(throws: Never.self) { try decoder.decode(.bytes(drawn.bytes()), workingSide: 32) }
        drawn.isInterlaced = true
        let error = try #require(throws: CodecError.self) {
            try decoder.decode(.bytes(drawn.bytes()), workingSide: 32)
        }
        #expect(error.code == .overLimit)
    }

    @Test("Blocks are averaged by alpha: the color of transparent pixels has no effect")
    func averages() throws {
        let columns = [[200, 0, 0, 255], [0, 0, 255, 0], [10, 10, 10, 0], [20, 20, 20, 0], [0, 100, 0, 51]]
        let drawn = DrawnPNG(width: 5, height: 2, colorType: 6, samples: { x, _ in columns[x] })
        #expect(pixels(try decode(drawn.bytes(), 2)) == [[200, 0, 0, 128], [0, 0, 0, 0], [0, 100, 0, 51]])
    }

    @Test("An Exif orientation is applied before and after the image data", arguments: [true, false])
    func orientation(isBefore: Bool) throws {
        var drawn = DrawnPNG(width: 2, height: 1, colorType: 0, samples: { x, _ in [x * 100] })
        let chunk = ("eXIf", DrawnExif.block(orientation: 6, isLittleEndian: false))
        if isBefore { drawn.chunks = [chunk] } else { drawn.chunksAfterPicture = [chunk] }
        let photo = try decode(drawn.bytes(), 960)
        #expect((photo.photoWidth, photo.photoHeight) == (1, 2))
        #expect(pixels(photo).map { $0[0] } == [0, 100])
    }

    @Test("A file truncated inside the image is corrupt, at every length")
    func cut() {
        let bytes = DrawnPNG(width: 16, height: 16, colorType: 2, samples: { x, y in [x, y, 7] }).bytes()
        for length in 8..<bytes.count - 24 { #expect(code(of: Array(bytes.prefix(length))) == .corrupt) }
    }

    @Test("Damage after a complete image does not matter")
    func brokenEnd() throws {
        let bytes = DrawnPNG(width: 16, height: 16, colorType: 2, samples: { x, y in [x, y, 7] }).bytes()
        let whole = try decode(bytes, 960)
        #expect(try decode(bytes.dropLast(12), 960).raster == whole.raster)
        #expect(try decode(bytes.dropLast(3) + [1, 2, 3], 960).raster == whole.raster)
    }

    @Test("A wrong checksum is corrupt")
    func checkSum() throws {
        var bytes = DrawnPNG(width: 16, height: 16, colorType: 2, samples: { x, y in [x, y, 7] }).bytes()
        bytes[bytes.count / 2] ^= 1
        #expect(code(of: bytes) == .corrupt)
    }

    @Test("Chunks without effect on the pixels are skipped, however large and damaged")
    func otherChunks() throws {
        let chunks: [(String, [UInt8])] = [
            ("iCCP", Array("profile\0\0not deflated".utf8)), ("tEXt", [UInt8](repeating: 65, count: 100_000)),
            ("zTXt", Array("key\0\0broken".utf8)), ("abCd", [1, 2, 3]),
        ]
        let drawn = DrawnPNG(width: 2, height: 2, colorType: 0, chunks: chunks, samples: { _, _ in [5] })
        #expect(pixels(try decode(drawn.bytes(), 960)).allSatisfy { $0 == [5, 5, 5, 255] })
    }
}
