import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

struct HEIFDecodingTests {
    static let quarters: [Character: [Int]] = [
        "r": [200, 30, 30], "g": [30, 160, 40], "b": [40, 50, 190], "w": [220, 220, 220],
    ]

    /// The image as letters, one for every quarter of a tile; "?" if it is none of the four colors.
    private func letters(_ raster: Raster) -> [String] {
        let cell = DrawnHEIF.tileSide / 2
        return (0..<raster.height / cell).map { row in
            String(
                (0..<raster.width / cell).map { column -> Character in
                    let middle = ((row * cell + cell / 2) * raster.width + column * cell + cell / 2) * Raster.channels
                    let color = raster.pixels[middle..<middle + 3].map(Int.init)
                    return Self.quarters.first { zip($0.value, color).allSatisfy { abs($0 - $1) < 12 } }?.key ?? "?"
                })
        }
    }

    @Test(
        "Tiles are joined, rotated and mirrored as the container says",
        arguments: [
            (DrawnHEIF(), ["rg", "bw"]),
            (DrawnHEIF(turns: 1), ["gw", "rb"]),
            (DrawnHEIF(turns: 2), ["wb", "gr"]),
            (DrawnHEIF(turns: 3), ["br", "wg"]),
            (DrawnHEIF(mirrorMode: 0), ["bw", "rg"]),
            (DrawnHEIF(mirrorMode: 1), ["gr", "wb"]),
            (DrawnHEIF(columns: 3, rows: 1, isGrid: true), ["rgrgrg", "bwbwbw"]),
            (DrawnHEIF(columns: 2, rows: 1, isGrid: true, turns: 1), ["gw", "rb", "gw", "rb"]),
            (DrawnHEIF(columns: 2, rows: 1, isGrid: true, turns: 2), ["wbwb", "grgr"]),
            (DrawnHEIF(columns: 2, rows: 1, isGrid: true, turns: 3), ["br", "wg", "br", "wg"]),
            (DrawnHEIF(columns: 2, rows: 1, isGrid: true, mirrorMode: 0), ["bwbw", "rgrg"]),
            (DrawnHEIF(columns: 2, rows: 1, isGrid: true, mirrorMode: 1), ["grgr", "wbwb"]),
            // Turned, then mirrored, as an image without tiles.
            (DrawnHEIF(turns: 1, mirrorMode: 1), ["wg", "br"]),
            (DrawnHEIF(columns: 1, rows: 2, isGrid: true, turns: 1, mirrorMode: 1), ["wgwg", "brbr"]),
            (DrawnHEIF(columns: 1, rows: 2, isGrid: true, turns: 1, mirrorMode: 0), ["rbrb", "gwgw"]),
            (DrawnHEIF(columns: 1, rows: 2, isGrid: true, turns: 2, mirrorMode: 0), ["gr", "wb", "gr", "wb"]),
            (DrawnHEIF(columns: 1, rows: 2, isGrid: true, turns: 3, mirrorMode: 1), ["rbrb", "gwgw"]),
        ])
    func arranges(drawn: DrawnHEIF, expected: [String]) throws {
        let photo = try decode(try drawn.bytes(), 960)
        #expect(letters(photo.raster) == expected)
        #expect((photo.photoWidth, photo.photoHeight) == (photo.raster.width, photo.raster.height))
        #expect(photo.format == .heif)
        #expect(!photo.hasAlpha)
    }

    @Test("Files written by libheif are decoded", arguments: [("tile.heic", PhotoFormat.heif), ("tile.avif", .avif)])
    func reads(name: String, format: PhotoFormat) throws {
        let photo = try decode(try DrawnHEIF.fixture(name), 960)
        #expect(letters(photo.raster) == ["rg", "bw"])
        #expect(photo.format == format)
    }

    @Test("Alpha is decoded")
    func alpha() throws {
        let photo = try decode(try DrawnHEIF.fixture("tile-alpha.heic"), 960)
        #expect(photo.hasAlpha)
        let middle = pixels(photo)[16 * 64..<17 * 64]
        #expect((250...255).contains(try #require(middle.first)[3]))
        #expect((120...136).contains(try #require(middle.last)[3]))
    }

    @Test("The image is averaged down to the working side, and a region is cut out of it")
    func shrinks() throws {
        let bytes = try DrawnHEIF(columns: 4, rows: 2, isGrid: true).bytes()
        let whole = try decode(bytes, 60)
        #expect((whole.raster.width, whole.raster.height) == (64, 32))
        let region = PixelRect(x: 64, y: 64, width: 128, height: 64)
        let part = try PhotoDecoder().decode(.bytes(bytes), workingSide: 960, region: region)
        #expect(part.region == region)
        #expect(letters(part.raster) == ["rgrg", "bwbw"])
        let turned = try DrawnHEIF(columns: 2, rows: 4, isGrid: true, turns: 1).bytes()
        let turnedPart = try PhotoDecoder().decode(.bytes(turned), workingSide: 960, region: region)
        #expect(turnedPart.region == region)
        #expect(letters(turnedPart.raster) == ["gwgw", "rbrb"])
    }

    @Test("A gray image stays gray, reduced or not", arguments: [960, 12])
    func gray(working: Int) throws {
        let colors = pixels(try decode(try FuzzCorpus.bytes(of: "gray.heic", in: "heif"), working))
        #expect(colors.allSatisfy { $0[0] == $0[1] && $0[0] == $0[2] })
        #expect(Set(colors).count > 1)
    }

    @Test("Tiles take less memory than one image of that size; both fail beyond the limit")
    func memory() throws {
        var limits = DecodeLimits()
        limits.maxMemory = 64 * 64 * 6
        #expect(throws: Never.self) { try decode(try DrawnHEIF().bytes(), 960, limits) }
        #expect(throws: Never.self) { try decode(try DrawnHEIF(columns: 2, isGrid: true).bytes(), 960, limits) }
        limits.maxMemory -= 1
        let error = try #require(throws: CodecError.self) { try decode(try DrawnHEIF().bytes(), 960, limits) }
        #expect(error.code == .overLimit)
        #expect(error.description.contains("limits.maxMemory"))
        #expect(code(of: try DrawnHEIF(columns: 3, isGrid: true).bytes(), limits) == .overLimit)
    }

    @Test("An image whose size differs from the container's is rejected")
    func otherSize() throws {
        #expect(code(of: try DrawnHEIF(saidSide: 32).bytes()) != nil)
    }

    @Test("A truncated file is rejected, at every length", arguments: ["tile.heic", "tile.avif"])
    func cut(name: String) throws {
        let bytes = try DrawnHEIF.fixture(name)
        for length in stride(from: 32, to: bytes.count - 1, by: 7) {
            #expect(code(of: Array(bytes.prefix(length))) != nil, "cut at \(length)")
        }
    }
}
