import Foundation
import PhotoCodecs
import PhotoRaster
import StickerStudio
import TestSupport
import Testing
import Workers

extension HostileAnswer {
    static let replies: [InvalidReply] = [
        InvalidReply("sides of 2^31", "a number is out of range") { $0.width = "2147483648" },
        InvalidReply("negative side", "a number is out of range") { $0.height = "-72" },
        InvalidReply("NaN", "it cannot be decoded") { $0.confidence = "NaN" },
        InvalidReply("infinite", "it cannot be decoded") { $0.confidence = "1e999" },
        InvalidReply("above one", "a number is out of range") { $0.confidence = "1.0001" },
        InvalidReply("below zero", "a number is out of range") { $0.confidence = "-0.1" },
        InvalidReply("no width", "a number is out of range") { $0.width = "0" },
        changed("no width of the photo", "a number is out of range", "160", to: "0"),
        changed("a width of the photo of 2^40", "a number is out of range", "160", to: "1099511627776"),
        changed("below zero for the photo", "a number is out of range", "0.9", to: "-0.1"),
        changed("NaN for a color", "it cannot be decoded", "ff0000", to: "NaN000"),
        changed("inconsistent weights", "it cannot be decoded", "2710", to: "ffff"),
        InvalidReply("more pixels than limits.maxPixels", "a number is out of range") {
            $0.photo = $0.photo.replacing("160", with: "30000").replacing("120", with: "10001")
        },
        changed("negative time", "a number is out of range", #""mask":1"#, to: #""mask":-1"#),
        changed("more passes than there are", "a number is out of range", #""passes":1"#, to: #""passes":6"#),
        InvalidReply("larger than the recipe's size", "the sticker is larger than sticker.size") {
            ($0.width, $0.height, $0.sticker) = ("97", "72", try png(97, 72))
        },
        InvalidReply("no photo", "it does not match the request") {
            $0.json = #"{"pictures":[]}"#; $0.body = []
        },
        InvalidReply("a refusal with a picture", "it does not match the request") {
            $0.json = #"{"failure":"no","pictures":[]}"#
        },
        InvalidReply("a refusal without a reason", "it does not match the request") {
            $0.json = #"{"failure":"","pictures":[]}"#
            $0.body = []
        },
        InvalidReply("stickers instead of colors", "it does not match the request") { $0.task = .colors },
        InvalidReply("stickers instead of a mask", "it does not match the request") { $0.task = .mask },
        InvalidReply("a likeness that was not requested", "it does not match the request") {
            $0.task = .colors
            $0.json =
                "{\"photo\":{\"facts\":{\($0.photo),\"likeness\":\([UInt8](repeating: 15, count: 32))},\"timings\":\($0.timings)},\"pictures\":[]}"
            $0.body = []
        },
        InvalidReply("more than one sticker of subjects together", "it does not match the request") {
            let picture = #"{"bytes":0,"thumbnailBytes":0,"facts":{"width":1,"height":1,"confidence":1}}"#
            $0.json =
                "{\"photo\":{\"facts\":{\($0.photo)},\"timings\":\($0.timings)},\"pictures\":[\(picture),\(picture)]}"
            $0.body = []
        },
        InvalidReply("a line to cut along that was not requested", "it does not match the request") {
            $0.contours = "[[0,0,9600,0,0,7200]]"
        },
        InvalidReply("no line to cut along", "it does not match the request") { $0.task = .cutPaths },
        InvalidReply("a line beside the sticker", "a number is out of range") {
            ($0.task, $0.contours) = (.cutPaths, "[[0,0,9600,0,0,7201]]")
        },
        InvalidReply("half a point", "a number is out of range") {
            ($0.task, $0.contours) = (.cutPaths, "[[0,0,9600,0,0,7200,1]]")
        },
        InvalidReply("a line of endless points", "a number is out of range") {
            ($0.task, $0.contours) = (.cutPaths, "[\([Int](repeating: 1, count: 16_002))]")
        },
        InvalidReply("inconsistent sizes", "its sizes are inconsistent") { $0.body = try png() },
        InvalidReply("HTML for JSON", "it cannot be decoded") { $0.json = "<html>" },
        InvalidReply("nested without end", "it cannot be decoded") { $0.json = String(repeating: "[", count: 1 << 20) },
        InvalidReply("a header that is too long", "it is too long") { $0.announcedHeaderBytes = 1 << 20 + 1 },
        InvalidReply("a body that is too long", "it is too long") { $0.announcedBodyBytes = 64 << 20 + 1 },
        InvalidReply("lengths of all ones", "it is too long") { $0.announcedBodyBytes = 0xFFFF_FFFF },
    ]

    /// A reply with other text in the facts or times of its photo.
    private static func changed(_ name: String, _ reason: String, _ text: String, to other: String) -> InvalidReply {
        InvalidReply(name, reason) {
            $0.photo = $0.photo.replacing(text, with: other)
            $0.timings = $0.timings.replacing(text, with: other)
        }
    }

    static let files: [InvalidReply] =
        pictures(.png) + pictures(.webp) + [
            InvalidReply("HTML", "the sticker is not a PNG file") { $0.sticker = html },
            InvalidReply("HTML for a thumbnail", "the thumbnail is not a WebP file") { $0.thumbnail = html },
            InvalidReply("a text chunk", "the sticker has an unexpected chunk") {
                $0.sticker = try inserted(pngChunk("tEXt", Array("Comment\0<script>".utf8)), at: 33)
            },
            InvalidReply("a text chunk at the end", "the sticker has an unexpected chunk") {
                $0.sticker = try inserted(pngChunk("tEXt", [65, 0, 66]), at: try png().count - 12)
            },
            InvalidReply("an EXIF chunk", "the sticker has an unexpected chunk") {
                $0.sticker = try inserted(pngChunk("eXIf", [1]), at: 33)
            },
            InvalidReply("a second header", "the sticker has an unexpected chunk") {
                $0.sticker = try inserted(Array(png()[8..<33]), at: 33)
            },
            InvalidReply("a wrong checksum", "the sticker has a chunk with a wrong checksum") {
                var file = try png()
                file[file.count - 20] ^= 1
                $0.sticker = file
            },
            InvalidReply("a palette", "the sticker has an unexpected header") {
                $0.sticker = try png(header: [0, 0, 0, 96, 0, 0, 0, 72, 8, 3, 0, 0, 0])
            },
            InvalidReply("a header of 2^31", "the sticker has an unexpected header") {
                $0.sticker = try png(header: [0x80, 0, 0, 0, 0, 0, 0, 72, 8, 6, 0, 0, 0])
            },
            InvalidReply("a chunk of 2^32 - 1 bytes", "the sticker is truncated") {
                var file = try png()
                file.replaceSubrange(file.count - 12..<file.count - 8, with: [255, 255, 255, 255])
                $0.sticker = file
            },
            InvalidReply("no pixels", "the sticker has no pixels") {
                let file = try png()
                $0.sticker = Array(file[..<46]) + Array(file.suffix(12))
            },
            InvalidReply("more bytes than pixels can need", "the sticker has more bytes than its pixels can need") {
                $0.sticker = try inserted(
                    pngChunk("IDAT", [UInt8](repeating: 7, count: 100_000)), at: try png().count - 12)
            },
            InvalidReply("EXIF in a WebP", "the thumbnail has an unexpected chunk") {
                $0.thumbnail = try appended("EXIF", Array("GPS!".utf8))
            },
            InvalidReply("XMP in a WebP", "the thumbnail has an unexpected chunk") {
                $0.thumbnail = try appended("XMP ", Array("<x/>".utf8))
            },
            InvalidReply("another color profile", "the thumbnail has an unexpected color profile") {
                var file = try webp()
                file[200] ^= 1
                $0.thumbnail = file
            },
            InvalidReply("an animation", "the thumbnail has an unexpected header") {
                var file = try webp()
                file[20] |= 2
                $0.thumbnail = file
            },
            InvalidReply("another size in the picture", "the thumbnail has an unexpected header") {
                var file = try webp()
                let start = try #require(file.firstRange(of: [0x9D, 0x01, 0x2A])).lowerBound
                file[start + 3] = 95
                $0.thumbnail = file
            },
            InvalidReply("a RIFF size beyond the file", "the thumbnail is not a WebP file") {
                var file = try webp()
                file[4] &+= 2
                $0.thumbnail = file
            },
            InvalidReply("a thumbnail that is too large", "the thumbnail is too large") {
                $0.thumbnail = try webp(193, 8)
            },
            InvalidReply("another format than the recipe's", "the sticker is not a PNG file") {
                $0.sticker = try webp()
            },
            InvalidReply("a mask of other bytes", "the mask is not a PNG file") {
                $0 = try mask()
                $0.body = html
            },
            InvalidReply("a mask in color", "the mask has an unexpected header") {
                $0 = try mask()
                $0.body = try png()
            },
        ]

    private static func pictures(_ format: StickerFormat) -> [InvalidReply] {
        @Sendable func file() throws -> [UInt8] { try format == .png ? png() : webp() }
        let isPNG = format == .png
        return [
            InvalidReply(
                "\(format): trailing bytes",
                isPNG ? "the sticker has data after its end" : "the sticker is not a WebP file"
            ) {
                ($0.format, $0.sticker) = (format, try file() + html)
            },
            InvalidReply("\(format): cut", isPNG ? "the sticker is truncated" : "the sticker is not a WebP file") {
                ($0.format, $0.sticker) = (format, try file().dropLast(5))
            },
            InvalidReply("\(format): another size than it says", "the sticker has an unexpected header") {
                ($0.format, $0.sticker, $0.width) = (format, try file(), "95")
            },
            InvalidReply("\(format): nothing", "the sticker is not a \(isPNG ? "PNG" : "WebP") file") {
                ($0.format, $0.sticker) = (format, [])
            },
        ]
    }

    private static let html = Array("<html><script>alert(1)</script></html>".utf8)

    private static func inserted(_ chunk: [UInt8], at place: Int) throws -> [UInt8] {
        var file = try png()
        file.insert(contentsOf: chunk, at: place)
        return file
    }

    private static func png(header: [UInt8]) throws -> [UInt8] {
        var file = try png()
        file.replaceSubrange(8..<33, with: pngChunk("IHDR", header))
        return file
    }

    private static func appended(_ name: String, _ data: [UInt8]) throws -> [UInt8] {
        var file = try webp() + Array(name.utf8) + littleEndian(data.count) + data
        file.replaceSubrange(4..<8, with: littleEndian(file.count - 8))
        return file
    }
}
