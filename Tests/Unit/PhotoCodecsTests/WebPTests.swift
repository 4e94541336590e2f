import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

struct WebPTests {
    /// A disc with a soft rim on a transparent background.
    static let sticker: Raster = {
        var raster = DrawnPicture.disc(width: 121, height: 90)
        for index in 0..<121 * 90 {
            let (x, y) = (index % 121 - 60, index / 121 - 45)
            raster.pixels[index * 4 + 3] = UInt8(min(max((40 - Double(x * x + y * y).squareRoot()) * 25, 0), 255))
        }
        return raster
    }()

    @Test("A sticker is decoded with its alpha unchanged and its color nearly so", arguments: [false, true])
    func roundTrip(quickly: Bool) throws {
        let file =
            quickly
            ? try WebPEncoder.encodeQuickly(Self.sticker, colorQuality: 90) : try WebPEncoder.encode(Self.sticker)
        let photo = try decode(file, 960)
        #expect(photo.format == .webp)
        #expect(photo.hasAlpha)
        #expect((photo.photoWidth, photo.photoHeight) == (121, 90))
        var difference = 0
        var solid = 0
        for pixel in 0..<121 * 90 {
            let alpha = Self.sticker.pixels[pixel * 4 + 3]
            #expect(photo.raster.pixels[pixel * 4 + 3] == alpha)
            guard alpha == 255 else { continue }
            solid += 3
            for index in pixel * 4..<pixel * 4 + 3 {
                difference += abs(Int(photo.raster.pixels[index]) - Int(Self.sticker.pixels[index]))
            }
        }
        #expect(difference < 5 * solid)
    }

    @Test("The quick encoder's file is another one, and not much larger")
    func quickly() throws {
        let raster = DrawnPicture.disc(width: 192, height: 144)
        let (best, quick) = (try WebPEncoder.encode(raster), try WebPEncoder.encodeQuickly(raster, colorQuality: 90))
        let isSame = quick == best
        #expect(!isSame)
        // Half larger for this drawing, a tenth for real stickers.
        #expect(quick.count < 2 * best.count)
    }

    @Test("The file's only metadata is sRGB", arguments: [true, false])
    func chunks(isOpaque: Bool) throws {
        let raster = isOpaque ? DrawnPicture.disc(width: 64, height: 48) : Self.sticker
        let file = try WebPEncoder.encode(raster)
        var types: [String] = []
        var offset = 12
        while offset + 8 <= file.count {
            types.append(String(decoding: file[offset..<offset + 4], as: UTF8.self))
            let length = file[offset + 4..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            offset += 8 + length + length % 2
        }
        #expect(types == ["VP8X", "ICCP"] + (isOpaque ? [] : ["ALPH"]) + ["VP8 "])
        #expect(offset == file.count)
        #expect(file[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } == file.count - 8)
    }

    @Test("The quality is lowered no further than the limit requires")
    func limit() throws {
        var random = SystemRandomNumberGenerator()
        var noisy = DrawnPicture.disc(width: 128, height: 128)
        for pixel in 0..<128 * 128 { noisy.pixels[pixel * 4] &+= UInt8.random(in: 0..<64, using: &random) }
        let best = try WebPEncoder.encode(noisy)
        #expect(try WebPEncoder.encode(noisy, maxBytes: best.count) == best)
        var previous = best.count
        for limit in [best.count - 1, best.count / 2, best.count / 3] {
            let count = try WebPEncoder.encode(noisy, maxBytes: limit).count
            #expect(count <= limit)
            #expect(count > limit / 2)
            #expect(count < previous)
            previous = count
        }
    }

    @Test("A size limit that no quality meets is an error that names the setting")
    func tooSmall() throws {
        let error = try #require(throws: CodecError.self) { try WebPEncoder.encode(Self.sticker, maxBytes: 700) }
        #expect(error.code == .overLimit)
        #expect(error.description.contains("sticker.maxBytes"))
    }

    @Test(
        "Lossless images, alpha and the first frame of animations are decoded",
        arguments: [
            ("lossy.webp", false), ("lossless.webp", true), ("alpha.webp", true), ("animation.webp", true),
        ])
    func reads(name: String, hasAlpha: Bool) throws {
        let photo = try decode(try FuzzCorpus.bytes(of: name, in: "webp"), 960)
        #expect(photo.hasAlpha == hasAlpha)
        let middle = pixels(photo)[photo.raster.height / 2 * photo.raster.width + photo.raster.width * 2 / 5]
        #expect(middle[0] > 150 && middle[1] < 130 && middle[3] == 255)
    }

    @Test("Exif orientation is applied")
    func orientation() throws {
        let photo = try decode(try FuzzCorpus.bytes(of: "exif.webp", in: "webp"), 960)
        #expect((photo.photoWidth, photo.photoHeight) == (40, 48))
        #expect((photo.raster.width, photo.raster.height) == (40, 48))
    }

    @Test("The memory limit applies to lossless images, not to lossy ones, which are decoded row by row")
    func memory() throws {
        var limits = DecodeLimits()
        limits.maxMemory = 48 * 40 * 2
        #expect(throws: Never.self) { try decode(try FuzzCorpus.bytes(of: "lossy.webp", in: "webp"), 960, limits) }
        #expect(code(of: try FuzzCorpus.bytes(of: "lossless.webp", in: "webp"), limits) == .overLimit)
    }
}
