import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

struct ColorProfileTests {
    /// Display P3's primaries with gamma 2.2.
    private static let wide = "wide"

    private func color(_ samples: [UInt8], pieces: [[UInt8]], order: [Int]? = nil) throws -> [UInt8] {
        var drawn = DrawnJPEG(width: 16, height: 8, color: { _, _ in samples }, adobeTransform: 0)
        drawn.profilePieces = pieces
        drawn.pieceOrder = order
        let photo = try decode(drawn.bytes(), 960)
        #expect(Set(pixels(photo)).count == 1)
        return pixels(photo)[0]
    }

    private func isClose(_ color: [UInt8], _ expected: [Int]) -> Bool {
        zip(color, expected).allSatisfy { abs(Int($0) - $1) <= 2 }
    }

    // Computed with the matrices of both color spaces; saturated colors outside sRGB are clipped.
    @Test(
        "Wide-gamut colors are converted to sRGB",
        arguments: [
            ([200, 100, 50], [216, 93, 24]), ([255, 255, 255], [255, 255, 255]), ([0, 0, 0], [0, 0, 0]),
            ([255, 0, 0], [255, 0, 0]),
        ] as [([UInt8], [Int])])
    func wide(samples: [UInt8], expected: [Int]) throws {
        #expect(isClose(try color(samples, pieces: [try FuzzCorpus.profile(Self.wide)]), expected))
    }

    @Test("A profile in several segments is joined, in any order", arguments: [[0, 1, 2], [2, 0, 1]])
    func pieces(order: [Int]) throws {
        let profile = try FuzzCorpus.profile(Self.wide)
        let pieces = [Array(profile[..<100]), Array(profile[100..<300]), Array(profile[300...])]
        #expect(isClose(try color([200, 100, 50], pieces: pieces, order: order), [216, 93, 24]))
    }

    @Test("Gray and CMYK photos have their own profiles")
    func otherKinds() throws {
        #expect(isClose(try color([128], pieces: [try FuzzCorpus.profile("gray")]), [146, 146, 146]))
        // This profile has only the simple formula, in linear light.
        let inks = try color([255, 255, 255, 255], pieces: [try FuzzCorpus.profile("inks")])
        #expect(isClose(inks, [255, 255, 255]))
        #expect(isClose(try color([0, 0, 0, 0], pieces: [try FuzzCorpus.profile("inks")]), [0, 0, 0]))
    }

    @Test("A profile that is sRGB, damaged, incomplete or of another kind changes nothing")
    func ignored() throws {
        let wide = try FuzzCorpus.profile(Self.wide)
        let gray = try FuzzCorpus.profile("gray")
        let cases: [[[UInt8]]] = [
            [try FuzzCorpus.profile("srgb")], [gray], [Array(wide.prefix(200))], [[]],
            [[UInt8](repeating: 7, count: 999)],
            [wide.map { $0 ^ 1 }],
        ]
        for pieces in cases { #expect(try color([200, 100, 50], pieces: pieces) == [200, 100, 50, 255]) }
        #expect(try color([128], pieces: [wide]) == [128, 128, 128, 255])
        // The second of three is missing.
        let halves = [Array(wide[..<200]), Array(wide[200..<300]), Array(wide[300...])]
        #expect(try color([200, 100, 50], pieces: halves, order: [0, 2]) == [200, 100, 50, 255])
    }

    @Test("Profiles in PNG and WebP are applied, too")
    func otherFormats() throws {
        let wide = try FuzzCorpus.profile(Self.wide)
        var drawn = DrawnPNG(width: 4, height: 4, colorType: 2, samples: { _, _ in [200, 100, 50] })
        drawn.chunks = [DrawnPNG.profileChunk(wide)]
        #expect(isClose(pixels(try decode(drawn.bytes(), 960))[0], [216, 93, 24]))
        drawn.chunks = [("sRGB", [0]), DrawnPNG.profileChunk(wide)]
        #expect(pixels(try decode(drawn.bytes(), 960))[0] == [200, 100, 50, 255])

        // The profile of our own WebP file is replaced by one of another length.
        let file = try WebPEncoder.encode(DrawnPicture.flat(width: 16, height: 16, 200, 100, 50))
        let plain = pixels(try decode(file, 960))[100]
        let length = file[34..<38].reversed().reduce(0) { $0 << 8 | Int($1) }
        let changed =
            Array(file[..<34]) + littleEndian(wide.count) + wide + (wide.count % 2 == 0 ? [] : [0])
            + Array(file[(38 + length)...])
        let converted = pixels(try decode(changed, 960))[100]
        #expect(plain != converted)
        #expect(abs(Int(converted[0]) - [216, 93, 24][0]) <= 12)
    }
}
