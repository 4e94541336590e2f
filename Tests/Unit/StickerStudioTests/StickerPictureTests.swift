import Foundation
import LinuxIO
import PhotoCodecs
import PhotoRaster
import StickerStudio
import TestSupport
import Testing

@Suite("Pictures of stickers")
struct StickerPictureTests {
    /// A rectangle of one color in a larger transparent sticker, whose transparent pixels have another color.
    private static func card(
        _ width: Int, _ height: Int, color: [UInt8] = [180, 20, 30], around: [UInt8] = [0, 255, 0], padding: Int = 7
    ) -> Raster {
        Raster(width: width + 2 * padding, height: height + 3 * padding) { x, y in
            let isInside = (padding..<padding + width).contains(x) && (padding..<padding + height).contains(y)
            return isInside ? color + [255] : around + [0]
        }
    }

    private static func form(
        _ width: Int, _ height: Int, margin: Int = 0, _ fit: PictureForm.Fit = .canvas,
        _ format: StickerFormat = .png, maxBytes: Int = 1 << 20
    ) -> PictureForm {
        PictureForm(width: width, height: height, margin: margin, fit: fit, format: format, maxBytes: maxBytes)
    }

    /// Independent random colors, hardly compressible, that are at least half opaque.
    private static func noise(_ side: Int, isOpaque: Bool = false) -> Raster {
        var random = TestRandom(state: 3)
        return Raster(width: side, height: side) { _, _ in
            let bits = random.next()
            return [40, 32, 24].map { UInt8(truncatingIfNeeded: bits >> $0) }
                + [UInt8(truncatingIfNeeded: bits >> 48 | (isOpaque ? 255 : 128))]
        }
    }

    struct Case: Sendable {
        let visible: (Int, Int)
        let form: PictureForm
        /// Where the sticker must be in the picture, and the picture's size.
        let place: (x: ClosedRange<Int>, y: ClosedRange<Int>)
        let size: (Int, Int)
    }

    @Test(
        "The visible part fills the form up to its margin, centered; a smaller one keeps its size",
        arguments: [
            // Smaller than the sticker, larger and as large.
            Case(visible: (400, 200), form: form(100, 100, margin: 10), place: (10...89, 30...69), size: (100, 100)),
            Case(visible: (40, 80), form: form(512, 512, margin: 16), place: (236...275, 216...295), size: (512, 512)),
            Case(visible: (96, 50), form: form(96, 74), place: (0...95, 12...61), size: (96, 74)),
            // Between two pixels: the wider gap is at the end.
            Case(visible: (100, 33), form: form(100, 100), place: (0...99, 33...65), size: (100, 100)),
            Case(
                visible: (31, 70), form: form(512, 512, margin: 6, .tightEven), place: (6...36, 6...75), size: (44, 82)),
            Case(
                visible: (370, 301), form: form(370, 320, margin: 10, .tightEven), place: (10...359, 10...294),
                size: (370, 306)),
            Case(
                visible: (100, 300), form: form(370, 320, margin: 10, .tightEven), place: (10...109, 10...309),
                size: (120, 320)),
            // A hair's breadth.
            Case(visible: (1, 600), form: form(128, 128), place: (63...63, 0...127), size: (128, 128)),
            Case(visible: (900, 1), form: form(512, 512), place: (0...511, 255...255), size: (512, 512)),
        ])
    func places(drawn: Case) throws {
        let sticker = Self.card(drawn.visible.0, drawn.visible.1)
        let picture = try StickerPicture(of: sticker, as: drawn.form).raster
        #expect((picture.width, picture.height) == drawn.size)
        #expect(drawn.form.allows(width: picture.width, height: picture.height))
        let visible = (0..<picture.width * picture.height).filter { picture.pixels[$0 * 4 + 3] > 0 }
        let columns = visible.map { $0 % picture.width }
        let rows = visible.map { $0 / picture.width }
        #expect(columns.min() == drawn.place.x.lowerBound && columns.max() == drawn.place.x.upperBound)
        #expect(rows.min() == drawn.place.y.lowerBound && rows.max() == drawn.place.y.upperBound)
    }

    @Test("A tight picture is as large as the sticker, up to its form, and has even sides")
    func tight() throws {
        let form = Self.form(372, 320, margin: 10, .tightEven)
        for (width, height) in [(1, 1), (371, 319), (372, 320), (373, 321), (511, 437), (63, 54), (1000, 3), (7, 301)] {
            let picture = try StickerPicture(of: Self.card(width, height), as: form).raster
            let isSmall = width <= 352 && height <= 300
            func even(_ side: Int) -> Int { side + side % 2 }
            #expect(
                isSmall
                    ? (picture.width, picture.height) == (even(width + 20), even(height + 20))
                    : picture.width == 372 || picture.height == 320)
            #expect(picture.width <= 372 && picture.height <= 320)
            #expect(picture.width % 2 == 0 && picture.height % 2 == 0)
        }
    }

    @Test("Forms that give the same picture of a sticker are one", arguments: [79, 80, 81])
    func idleMargin(side: Int) throws {
        let sticker = Self.noise(side)
        let forms = [0, 10].map { Self.form(100, 100, margin: $0) }
        let (wide, narrow) = (forms[0], forms[1])
        let isSame = try StickerPicture(of: sticker, as: wide).raster == StickerPicture(of: sticker, as: narrow).raster
        #expect(isSame == (side <= 80))
        for (width, height) in [(side, 40), (40, side)] {
            #expect((narrow.withoutIdleMargin(aroundWidth: width, height: height) == wide) == isSame)
        }
        let tight = Self.form(100, 100, margin: 10, .tightEven)
        #expect(tight.withoutIdleMargin(aroundWidth: 1, height: 1) == tight)
    }

    @Test("A sticker that already has the form's size keeps its pixels")
    func same() throws {
        let sticker = Self.noise(96)
        #expect(try StickerPicture(of: sticker, as: Self.form(96, 96)).raster == sticker)
    }

    @Test(
        "No color but the sticker's own shows at its edges",
        arguments: [([180, 20, 30], [0, 255, 0]), ([255, 255, 255], [0, 0, 0]), ([20, 20, 20], [255, 255, 255])]
            as [([UInt8], [UInt8])], [100, 333, 700])
    func fringe(colors: ([UInt8], [UInt8]), side: Int) throws {
        // A disc, so that every angle of edge occurs, with a soft rim.
        let sticker = Raster(width: 320, height: 320) { x, y in
            let (across, down) = (Double(x) - 159.5, Double(y) - 159.5)
            let alpha = min(max(150.5 - (across * across + down * down).squareRoot(), 0), 1)
            return (alpha > 0 ? colors.0 : colors.1) + [UInt8(255 * alpha)]
        }
        let picture = try StickerPicture(of: sticker, as: Self.form(side, side, margin: 4)).raster
        var (partial, strange) = (0, 0)
        for y in 0..<side {
            for x in 0..<side where picture[x, y][3] > 0 {
                let pixel = picture[x, y]
                if pixel[3] < 255 { partial += 1 }
                if (0..<3).contains(where: { abs(Int(pixel[$0]) - Int(colors.0[$0])) > 1 }) { strange += 1 }
            }
        }
        #expect(partial > side)
        #expect(strange == 0)
        // The rim is as soft as antialiasing needs, without rings around it.
        let middle = (0..<side).map { Int(picture[$0, side / 2][3]) }
        let soft = middle.filter { $0 > 0 && $0 < 255 }
        #expect(soft.count <= 2 * (1 + side / 150))
        #expect(zip(middle, middle.dropFirst()).prefix(side / 2 - 1).allSatisfy { $0 <= $1 })
    }

    @Test("Detail stays sharp", arguments: [(504, 480), (504, 512), (504, 128)])
    func sharp(visible: Int, side: Int) throws {
        // Waves of eight pixels of the smaller picture.
        let length = max(8, 8 * visible / side)
        var sticker = Self.card(visible, visible)
        let waves = (0..<sticker.width).map { 127.5 * (1 + sin(Double($0) * 2 * .pi / Double(length))) }
        for index in 0..<sticker.width * sticker.height where sticker.pixels[index * 4 + 3] > 0 {
            for channel in 0..<3 { sticker.pixels[index * 4 + channel] = UInt8(waves[index % sticker.width]) }
        }
        let picture = try StickerPicture(of: sticker, as: Self.form(side, side)).raster
        let row = (side / 4..<side * 3 / 4).map { Int(picture[$0, side / 2][0]) }
        // Every wave keeps nearly its full height; averaging alone loses up to an eighth.
        let heights = stride(from: 0, to: row.count - 10, by: 5).map { start in
            (row[start..<start + 10].max() ?? 0) - (row[start..<start + 10].min() ?? 0)
        }
        #expect(heights.allSatisfy { $0 > 238 })
    }

    @Test(
        "A picture with much detail fits into its limit",
        arguments: [
            form(96, 96, maxBytes: 20_000), form(128, 128, maxBytes: 30_000), form(320, 320, maxBytes: 150_000),
            form(512, 512, margin: 16, .canvas, .webp, maxBytes: 60_000),
        ])
    func limit(form: PictureForm) throws {
        let picture = try StickerPicture(of: Self.noise(form.width, isOpaque: true), as: form)
        let file = try picture.encode()
        #expect(file.count <= form.maxBytes)
        // As much of the limit is used as the next better quality leaves.
        #expect(file.count > form.maxBytes / 2)
        let decoded = try PhotoDecoder().decode(.bytes(file), workingSide: 1024).raster
        #expect((decoded.width, decoded.height) == (form.width, form.height))
    }

    @Test("White stays white and edges stay soft when shades are reduced")
    func white() throws {
        var sticker = Self.noise(128)
        for y in 0..<128 {
            sticker[0, y] = [255, 255, 255, 77]
            for x in 1...9 { sticker[x, y] = [255, 255, 255, 255] }
            for x in 10...12 { sticker[x, y] = [0, 0, 0, 255] }
            for x in 13..<128 { sticker[x, y][3] = 255 }
        }
        let picture = try StickerPicture(of: sticker, as: Self.form(128, 128, maxBytes: 32_000))
        #expect(try PNGEncoder.encode(picture.raster).count > 40_000)
        let decoded = try PhotoDecoder().decode(.bytes(try picture.encode()), workingSide: 1024).raster
        #expect((0..<128).allSatisfy { decoded[0, $0] == [255, 255, 255, 77] })
        #expect((0..<128).allSatisfy { decoded[5, $0] == [255, 255, 255, 255] })
        #expect((0..<128).allSatisfy { decoded[11, $0] == [0, 0, 0, 255] })
    }

    @Test("A limit below any quality is refused with the size and the limit", arguments: StickerFormat.allCases)
    func overLimit(format: StickerFormat) throws {
        let picture = try StickerPicture(of: Self.noise(200), as: Self.form(200, 200, .canvas, format, maxBytes: 700))
        let error = #expect(throws: CodecError.self) { try picture.encode() }
        #expect(error?.code == .overLimit)
        #expect(
            error?.detail
                == "The picture of 200 by 200 pixels does not fit into 700 bytes even with the lowest quality; use a "
                + "photo with less detail")
    }

    @Test("The same sticker gives the same bytes", arguments: StickerFormat.allCases)
    func deterministic(format: StickerFormat) throws {
        let form = Self.form(200, 180, margin: 5, .tightEven, format, maxBytes: 60_000)
        let files = try (0..<2).map { _ in try StickerPicture(of: Self.noise(230), as: form).encode() }
        #expect(files[0] == files[1])
    }

    /// SHA-256 of drawn pixels, by the revision at the beginning of identifiers. If the test fails because pixels were
    /// meant to change, increase `PictureForm.revision` and enter the digest that the failure shows.
    private static let digests = ["3": "0c4e999c742cac8ca434b1176a99638cc63540d0451a7e54418a0c52f92541a3"]

    @Test("Pixels change only with the form's revision")
    func revision() throws {
        var pixels: [UInt8] = []
        let sticker = Self.noise(230, isOpaque: true)
        for side in [100, 200, 400] {
            pixels += try StickerPicture(of: Self.card(300, 211), as: Self.form(side, side, margin: 3)).raster.pixels
            pixels += try StickerPicture(of: sticker, as: Self.form(side, side - 10, .tightEven)).raster.pixels
        }
        let digest = try ContentDigest.sha256(of: pixels).hex
        let revision = try #require(Self.form(1, 1).identifier.split(separator: "-").first)
        #expect(Self.digests[String(revision)] == digest, "the pixels' digest is \(digest)")
    }

    @Test("A transparent sticker is refused")
    func transparent() {
        let error = #expect(throws: CodecError.self) {
            try StickerPicture(of: Raster(width: 9, height: 9), as: Self.form(96, 96))
        }
        #expect(error?.detail == "Every pixel of the sticker is transparent; make the sticker again")
    }

    @Test(
        "A form that cannot be drawn is refused",
        arguments: [
            form(0, 10), form(10, 1025), form(100, 20, margin: 10), form(10, 10, margin: -1), form(9, 9, maxBytes: 0),
            form(371, 320, .tightEven),
        ])
    func undrawable(form: PictureForm) {
        let error = #expect(throws: CodecError.self) { try StickerPicture(of: Self.card(20, 20), as: form) }
        #expect(error?.code == .overLimit)
    }
}
