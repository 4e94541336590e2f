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
                    let color = raster[column * cell + cell / 2, row * cell + cell / 2].map(Int.init)
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
            (DrawnHEIF(isHalved: true), ["r", "b"]),
            (DrawnHEIF(isHalved: true, isSizeLast: true), ["r", "b"]),
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

    @Test(
        "Tiles may reach beyond the image, even a single one, as libheif 1.11 to 1.15 writes odd sizes",
        arguments: [1, 2])
    func excess(columns: Int) throws {
        let photo = try decode(try DrawnHEIF(columns: columns, isGrid: true, excess: 1).bytes(), 960)
        let whole = try decode(try DrawnHEIF(columns: columns, isGrid: true).bytes(), 960).raster
        let side = DrawnHEIF.tileSide
        #expect((photo.photoWidth, photo.photoHeight) == (side * columns - 1, side - 1))
        #expect((photo.raster.width, photo.raster.height) == (side * columns - 1, side - 1))
        #expect(photo.raster[side * columns - 2, side - 2] == whole[side * columns - 2, side - 2])
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

    /// A photo of two by two tiles, whose thumbnail shows one.
    private static let withThumbnail = DrawnHEIF(
        columns: 2, rows: 2, isGrid: true, attachments: [.init(type: "thmb", targets: [.primary])])

    @Test("A thumbnail like the photo is decoded in its place, if that suffices")
    func thumbnail() throws {
        let bytes = try Self.withThumbnail.bytes()
        let small = try PhotoDecoder().decode(.bytes(bytes), workingSide: 960, thumbnailSide: 64)
        #expect(small.isThumbnail)
        #expect(letters(small.raster) == ["rg", "bw"])
        #expect((small.photoWidth, small.photoHeight) == (128, 128))
        #expect(small.region == PixelRect(x: 0, y: 0, width: 128, height: 128))
        for (side, workingSide) in [(65, 960), (0, 960), (64, 32)] {
            let whole = try PhotoDecoder().decode(.bytes(bytes), workingSide: workingSide, thumbnailSide: side)
            #expect(!whole.isThumbnail)
        }
    }

    @Test(
        "A thumbnail of other proportions, turned otherwise or damaged is not used",
        arguments: [
            DrawnHEIF(columns: 3, rows: 2, isGrid: true, attachments: withThumbnail.attachments),
            DrawnHEIF(columns: 2, rows: 2, isGrid: true, turns: 1, attachments: withThumbnail.attachments),
            DrawnHEIF(columns: 2, rows: 2, isGrid: true, mirrorMode: 0, attachments: withThumbnail.attachments),
            DrawnHEIF(
                columns: 2, rows: 2, isGrid: true, attachments: withThumbnail.attachments, saidThumbnailSide: 80),
        ])
    func otherThumbnail(drawn: DrawnHEIF) throws {
        let bytes = try drawn.bytes()
        let photo = try PhotoDecoder().decode(.bytes(bytes), workingSide: 960, thumbnailSide: 64)
        #expect(!photo.isThumbnail)
        #expect(photo.raster == (try decode(bytes, 960)).raster)
    }

    @Test("Only the tiles that are needed are decoded; the others are transparent", arguments: [0, 1, 2, 3])
    func needed(turns: Int) throws {
        let isTurned = turns % 2 == 1
        let bytes = try DrawnHEIF(
            columns: isTurned ? 2 : 3, rows: isTurned ? 3 : 2, isGrid: true, turns: turns
        ).bytes()
        let all = PixelRect(x: 0, y: 0, width: 192, height: 128)
        var cells = Plane(width: 3, height: 2)
        cells[2, 1] = 1
        let whole = try PhotoDecoder().decode(.bytes(bytes), workingSide: 960, region: all).raster
        let part = try PhotoDecoder().decode(.bytes(bytes), workingSide: 960, region: all, needed: cells)
        #expect(part.hasAlpha)
        let wrong = (0..<192 * 128).filter { place in
            let (x, y) = (place % 192, place / 192)
            return x >= 128 && y >= 64 ? part.raster[x, y] != whole[x, y] : part.raster[x, y][3] != 0
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(3))")
    }

    @Test("A gray image stays gray, reduced or not", arguments: [960, 12])
    func gray(working: Int) throws {
        let colors = pixels(try decode(try FuzzCorpus.bytes(of: "gray.heic", in: "heif"), working))
        #expect(colors.allSatisfy { $0[0] == $0[1] && $0[0] == $0[2] })
        #expect(Set(colors).count > 1)
    }

    @Test("An image in tiles takes the memory of one row of them; all fail beyond the limit")
    func memory() throws {
        var limits = DecodeLimits()
        limits.maxMemory = 64 * 64 * 9
        #expect(throws: Never.self) {
            try decode(try DrawnHEIF(columns: 2, rows: 9, isGrid: true).bytes(), 960, limits)
        }
        limits.maxMemory = 64 * 64 * 6
        #expect(throws: Never.self) { try decode(try DrawnHEIF().bytes(), 960, limits) }
        limits.maxMemory -= 1
        let error = try #require(throws: CodecError.self) { try decode(try DrawnHEIF().bytes(), 960, limits) }
        #expect(error.code == .overLimit)
        #expect(error.description.contains("limits.maxMemory"))
        #expect(code(of: try DrawnHEIF(columns: 3, isGrid: true).bytes(), limits) == .overLimit)
    }

    @Test(
        "An auxiliary image, a thumbnail or metadata may belong to several items, or to one that is no image",
        arguments: ["auxl", "thmb", "cdsc"],
        [[.primary, .unknown], [.unknown], [.unknown, .primary], []] as [[DrawnHEIF.Target]])
    func references(type: String, targets: [DrawnHEIF.Target]) throws {
        for isGrid in [false, true] {
            let drawn = DrawnHEIF(isGrid: isGrid, attachments: [.init(type: type, targets: targets)])
            #expect(letters(try decode(try drawn.bytes(), 960).raster) == ["rg", "bw"])
        }
    }

    @Test("All of them together are read, as phones write them, with boxes and bytes after them")
    func manyReferences() throws {
        let attachments = ["auxl", "auxl", "cdsc", "thmb"].map {
            DrawnHEIF.Attachment(type: $0, targets: [.primary, .unknown])
        }
        var drawn = DrawnHEIF(columns: 3, rows: 2, isGrid: true, turns: 1, attachments: attachments)
        for end: [UInt8] in (1...9).map({ [UInt8](repeating: 0xAB, count: $0) }) + [
            [], [0, 0, 0, 0] + Array("mpvdvideo".utf8), [0xFF, 0xFF, 0xFF] + Array("SEFT trailer".utf8),
        ] {
            drawn.end = end
            #expect(
                letters(try decode(try drawn.bytes(), 960).raster) == ["gwgw", "rbrb", "gwgw", "rbrb", "gwgw", "rbrb"])
        }
    }

    @Test(
        "A reference that is wrong is refused, beside one that is not",
        arguments: [
            ("auxl", [.missing]), ("cdsc", [.primary, .missing]), ("thmb", [.itself, .primary]), ("auxl", [.itself]),
        ]
            as [(String, [DrawnHEIF.Target])])
    func wrongReferences(type: String, targets: [DrawnHEIF.Target]) throws {
        let right = DrawnHEIF.Attachment(type: "auxl", targets: [.primary, .unknown])
        let drawn = DrawnHEIF(attachments: [right, .init(type: type, targets: targets)])
        #expect(code(of: try drawn.bytes()) == .corrupt)
    }

    @Test("Without its last byte, a file with such references is still truncated")
    func truncatedReferences() throws {
        let bytes = try DrawnHEIF(attachments: [.init(type: "auxl", targets: [.primary, .unknown])]).bytes()
        #expect(throws: Never.self) { try decode(bytes, 960) }
        #expect(code(of: bytes.dropLast()) == .corrupt)
    }

    @Test("Alpha that belongs to two items is that of the image")
    func sharedAlpha() throws {
        var attachment = DrawnHEIF.Attachment(type: "auxl", targets: [.unknown, .primary])
        attachment.auxiliaryType = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
        #expect(try decode(try DrawnHEIF(attachments: [attachment]).bytes(), 960).hasAlpha)
    }

    @Test(
        "An item that stands for another is that image, turned by the properties of both",
        arguments: [
            (DrawnHEIF(identities: 1), ["rg", "bw"]), (DrawnHEIF(turns: 1, identities: 1), ["gw", "rb"]),
            (DrawnHEIF(identities: 3), ["rg", "bw"]), (DrawnHEIF(identities: 1, hasLongSize: true), ["rg", "bw"]),
            (DrawnHEIF(columns: 2, rows: 1, isGrid: true, turns: 2, identities: 2), ["wbwb", "grgr"]),
        ])
    func identity(drawn: DrawnHEIF, expected: [String]) throws {
        #expect(letters(try decode(try drawn.bytes(), 960).raster) == expected)
    }

    @Test(
        "Of a sequence without a still picture, the first frame is read",
        arguments: [("tile.avif", "avis"), ("tile.heic", "hevc"), ("tile.heic", "msf1")])
    func sequence(name: String, brand: String) throws {
        for hasMeta in [false, true] {
            let bytes = try DrawnHEIF.sequence(of: name, brand: brand, hasMeta: hasMeta)
            #expect(letters(try decode(bytes, 960).raster) == ["rg", "bw"])
        }
        #expect(try decode(try DrawnHEIF.sequence(of: name, brand: brand, hasAlpha: true), 960).hasAlpha)
        #expect(code(of: try DrawnHEIF.sequence(of: name, brand: brand, isCut: true)) != nil)
    }

    @Test("High dynamic range is brought into sRGB's", arguments: [(16, 9), (18, 9), (16, 12), (18, 1)])
    func highRange(transfer: Int, primaries: Int) throws {
        let sdr = try decode(try DrawnHEIF(columns: 2, isGrid: true).bytes(), 960).raster
        let hdr = try decode(try DrawnHEIF(columns: 2, isGrid: true, codedColors: (primaries, transfer)).bytes(), 960)
            .raster
        // The last quarter is light gray: 220 of 255 is 1,700 cd/m² of PQ, and 600 of HLG.
        let gray = hdr.pixels.suffix(4)
        #expect(gray.dropLast().allSatisfy { $0 > 240 })
        #expect((gray.dropLast().max() ?? 0) - (gray.dropLast().min() ?? 0) < 3)
        #expect(hdr != sdr)
    }

    @Test(
        """
        An auxiliary image must say what it is, items must not stand for each other or be parts of themselves, and the \
        codec's size is right
        """,
        arguments: [
            DrawnHEIF(attachments: [.init(type: "auxl", targets: [.primary, .unknown], auxiliaryType: nil)]),
            DrawnHEIF(identities: 2, isCircular: true), DrawnHEIF(columns: 2, isGrid: true, isCircular: true),
            DrawnHEIF(columns: 2, isGrid: true, isCircular: true, hasLongReferences: true), DrawnHEIF(saidSide: 32),
        ])
    func contradiction(drawn: DrawnHEIF) throws {
        #expect(code(of: try drawn.bytes()) != nil)
    }

    @Test("An image whose coding is unknown is not called damaged, unless it is", arguments: ["avc1", "jpeg"])
    func unknownCoding(type: String) throws {
        let bytes = try DrawnHEIF(coding: type).bytes()
        #expect(code(of: bytes) == .unsupportedVariant)
        #expect(code(of: bytes.dropLast()) == .corrupt)
    }
}
