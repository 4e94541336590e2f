import PhotoCodecs
import PhotoRaster
import TestSupport
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

    private func color(_ chunks: [(String, [UInt8])], _ samples: [Int], type: UInt8 = 2, depth: Int = 8) throws
        -> [UInt8]
    {
        let colors = try [false, true].map { isInterlaced in
            let drawn = DrawnPNG(
                width: 9, height: 5, colorType: type, depth: depth, isInterlaced: isInterlaced, chunks: chunks,
                samples: { _, _ in samples })
            return Set(pixels(try decode(drawn.bytes(), 960)))
        }
        #expect(colors[0] == colors[1])
        return try #require(colors[0].count == 1 ? colors[0].first : nil)
    }

    @Test(
        "Reference white of PQ and HLG becomes nearly white, and gray stays gray; black and alpha stay",
        arguments: [
            // 203, 26 and 0 cd/m² (BT.2408, table 1). 26 of 203 in linear light is 101 in sRGB.
            (16, 0.58, 238...246), (16, 0.38, 98...104), (16, 0, 0...0), (18, 0.75, 238...246), (18, 0.38, 98...104),
        ])
    func highRange(transfer: UInt8, signal: Double, expected: ClosedRange<UInt8>) throws {
        for (depth, full) in [(8, 255.0), (16, 65535)] {
            let sample = Int(signal * full + 0.5)
            let half = depth == 8 ? 128 : 0x8080
            let color = try color(
                [("cICP", [9, transfer, 0, 1])], [sample, sample, sample, half], type: 6, depth: depth)
            #expect(color.dropLast().allSatisfy(expected.contains), "\(color)")
            #expect(color[3] == 128)
            let opaque = try self.color([("cICP", [9, transfer, 0, 1])], [sample, sample, sample], depth: depth)
            #expect(opaque == color.dropLast() + [255])
        }
    }

    @Test("cICP comes before an ICC profile, sRGB before gamma and primaries")
    func precedence() throws {
        let p3: [UInt8] = [12, 13, 0, 1]
        let sample = [200, 100, 50]
        let converted = try color([("cICP", p3)], sample)
        #expect(converted[0] > 205 && converted[1] < 100)
        #expect(try color([("cICP", p3), ("sRGB", [0])], sample) == converted)
        #expect(try color([("cICP", [1, 13, 0, 1]), Self.gamma(100_000)], sample) == [200, 100, 50, 255])
        #expect(try color([("sRGB", [0]), Self.gamma(100_000)], sample) == [200, 100, 50, 255])
    }

    static func gamma(_ value: Int) -> (String, [UInt8]) { ("gAMA", bigEndian(value)) }

    @Test(
        "Gamma and primaries are used as browsers do",
        arguments: [
            // Linear light of a half is 188 in sRGB; 1/2.2 is what writers call sRGB.
            ([gamma(100_000)], UInt8(2), [128, 128, 128], [188, 188, 188]),
            ([gamma(100_000)], 0, [128], [188, 188, 188]),
            ([gamma(45_455)], 2, [200, 100, 50], [200, 100, 50]), ([gamma(0)], 2, [200, 100, 50], [200, 100, 50]),
            ([("cHRM", [UInt8](repeating: 0, count: 32))], 2, [200, 100, 50], [200, 100, 50]),
        ] as [([(String, [UInt8])], UInt8, [Int], [Int])])
    func measured(chunks: [(String, [UInt8])], type: UInt8, sample: [Int], expected: [Int]) throws {
        let color = try color(chunks, sample, type: type)
        #expect(zip(color, expected).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(color)")
    }

    @Test("Display P3's primaries in cHRM give the colors of its number in cICP")
    func primaries() throws {
        let display = [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000].flatMap { Self.gamma($0).1 }
        let measured = try color([("cHRM", display), Self.gamma(45_455)], [200, 100, 50])
        let coded = try color([("cICP", [12, 13, 0, 1])], [200, 100, 50])
        #expect(zip(measured, coded).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(measured) \(coded)")
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
