import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

struct JPEGDecodingTests {
    @Test(
        "The longer side is at least the working side, up to a sixth less, and less than twice that",
        arguments: [
            (width: 400, height: 300, working: 500, expected: (400, 300)),
            (400, 300, 400, (400, 300)),
            (400, 300, 399, (400, 300)),
            (400, 300, 350, (350, 263)),
            (400, 300, 100, (100, 75)),
            (300, 400, 90, (75, 100)),
            (400, 300, 26, (50, 38)),
            (400, 300, 25, (25, 19)),
            (400, 300, 7, (8, 6)),
            (400, 300, 1, (1, 1)),
            (1, 1, 960, (1, 1)),
            (1, 200, 30, (1, 25)),
            (1, 200, 31, (1, 50)),
            // Not at seven eighths, which saves no time.
            (400, 300, 360, (400, 300)),
        ])
    func size(width: Int, height: Int, working: Int, expected: (Int, Int)) throws {
        let photo = try decode(DrawnJPEG(width: width, height: height) { _, _ in [9, 8, 7] }.bytes(), working)
        #expect((photo.raster.width, photo.raster.height) == expected)
        #expect((photo.photoWidth, photo.photoHeight) == (width, height))
        #expect(photo.format == .jpeg)
        #expect(!photo.hasAlpha)
        #expect(pixels(photo).allSatisfy { $0 == [9, 8, 7, 255] })
    }

    @Test("Below an eighth, blocks are averaged, and so are incomplete blocks at the border")
    func averages() throws {
        // 5 × 3 blocks become 5 × 3 pixels at one eighth, then 3 × 2 by twos.
        let bytes = DrawnJPEG(width: 40, height: 24) { x, y in [UInt8(10 * x), UInt8(100 * y), 50] }.bytes()
        let photo = try decode(bytes, 2)
        #expect(
            pixels(photo) == [
                [5, 50, 50, 255], [25, 50, 50, 255], [40, 50, 50, 255],
                [5, 200, 50, 255], [25, 200, 50, 255], [40, 200, 50, 255],
            ])
    }

    @Test(
        "Every color space is converted to RGB",
        arguments: [
            (samples: [77], transform: nil, expected: [77, 77, 77, 255]),
            ([1, 2, 3], 0, [1, 2, 3, 255]),
            ([100, 128, 128], nil, [100, 100, 100, 255]),
            // Adobe stores 255 minus the ink: 200 · 100 / 255.
            ([200, 255, 0, 100], 0, [78, 100, 0, 255]),
            // Adobe's YCCK: Y is 255 minus red, and so on, before the same formula.
            ([55, 128, 128, 255], 2, [200, 200, 200, 255]),
            // Without Adobe's marker the ink itself: (255 - 55) · (255 - 155) / 255.
            ([55, 0, 255, 155], nil, [78, 100, 0, 255]),
        ] as [(samples: [UInt8], transform: UInt8?, expected: [UInt8])])
    func colors(samples: [UInt8], transform: UInt8?, expected: [UInt8]) throws {
        let drawn = DrawnJPEG(width: 8, height: 8, color: { _, _ in samples }, adobeTransform: transform)
        #expect(pixels(try decode(drawn.bytes(), 960)).allSatisfy { $0 == expected })
    }

    @Test(
        "Every orientation is turned upright",
        arguments: [
            (1, ["abc", "def"]), (2, ["cba", "fed"]), (3, ["fed", "cba"]), (4, ["def", "abc"]),
            (5, ["ad", "be", "cf"]), (6, ["da", "eb", "fc"]), (7, ["fc", "eb", "da"]), (8, ["cf", "be", "ad"]),
        ])
    func orientation(value: Int, expected: [String]) throws {
        let letters = ["abc", "def"].map { Array($0.utf8) }
        var drawn = DrawnJPEG(width: 24, height: 16) { x, y in [letters[y][x], 0, 0] }
        drawn.exif = DrawnExif.block(orientation: value)
        let photo = try decode(drawn.bytes(), 3)
        let rows = (0..<photo.raster.height).map { y in
            String(decoding: (0..<photo.raster.width).map { photo.raster[$0, y][0] }, as: UTF8.self)
        }
        #expect(rows == expected)
        #expect((photo.photoWidth, photo.photoHeight) == (value < 5 ? (24, 16) : (16, 24)))
    }

    @Test("Damage after a complete image does not matter", arguments: [[], [0xFF], [0xFF, 0xD9, 1, 2, 3]])
    func brokenEnd(end: [UInt8]) throws {
        let bytes = DrawnJPEG(width: 32, height: 32) { x, y in [UInt8(x * 60), UInt8(y * 50), 30] }.bytes()
        let whole = try decode(bytes, 960)
        #expect(try decode(bytes.dropLast(2) + end, 960).raster == whole.raster)
    }

    @Test("Twelve bits per channel are an unsupported variant")
    func twelveBits() {
        var drawn = DrawnJPEG(width: 8, height: 8) { _, _ in [1, 2, 3] }
        drawn.precision = 12
        #expect(code(of: drawn.bytes()) == .unsupportedVariant)
    }

    @Test("The number of scans of a progressive file is limited")
    func scans() throws {
        var drawn = DrawnJPEG(width: 16, height: 16) { _, _ in [1, 2, 3] }
        drawn.isProgressive = true
        var limits = DecodeLimits()
        limits.maxScans = 5
        drawn.dcScans = 2
        #expect(throws: Never.self) { try decode(drawn.bytes(), 960, limits) }
        drawn.dcScans = 3
        #expect(code(of: drawn.bytes(), limits) == .overLimit)
    }
}
