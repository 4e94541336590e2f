import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

@Suite("The end of a photo's file")
struct PhotoEndTests {
    private static let jpegs: [[UInt8]] = [false, true].map { isProgressive in
        var drawn = DrawnJPEG(width: 32, height: 32) { x, y in [UInt8(x * 60), UInt8(y * 50), 30] }
        drawn.isProgressive = isProgressive
        // A segment with an end marker of its own, like that of a thumbnail.
        let bytes = drawn.bytes()
        return Array(bytes[..<2]) + [0xFF, 0xE1, 0, 6, 0xFF, 0xD8, 0xFF, 0xD9] + bytes[2...]
    }

    /// With the number of last bytes without which they can be decoded.
    private static func photos() throws -> [(bytes: [UInt8], spare: Int)] {
        let webPs = try ["lossy.webp", "lossless.webp", "alpha.webp"].map { try FuzzCorpus.bytes(of: $0, in: "webp") }
        return jpegs.map { ($0, 4) } + webPs.map { ($0, 2) } + [
            (DrawnPNG(width: 40, height: 30, colorType: 0, samples: { x, y in [x + y] }).bytes(), 24),
            (try DrawnHEIF.fixture("tile.heic"), 1), (try DrawnHEIF.fixture("tile.avif"), 1),
        ]
    }

    @Test("A file that is cut off at any place ends early and cannot be decoded, and a complete one does not end early")
    func cut() throws {
        for (photo, spare) in try Self.photos() {
            #expect(!PhotoSource.bytes(photo).endsEarly())
            let isHEIF = photo[4...7] == Array("ftyp".utf8)[...]
            for length in 32..<photo.count {
                let part = Array(photo.prefix(length))
                // Before that, the format is unknown.
                if length >= 64 { #expect(PhotoSource.bytes(part).endsEarly(), "\(photo.prefix(12)) at \(length)") }
                guard length < photo.count - spare, !isHEIF || length % 7 == 0 else { continue }
                let code = code(of: part)
                #expect(code == .corrupt || isHEIF && code != nil, "\(photo.prefix(12)) at \(length)")
            }
        }
    }

    @Test("A file that ends in zeros, because its size was set before it was written, ends early and cannot be decoded")
    func zeros() throws {
        var noise = [UInt8](repeating: 255, count: 4 * 128 * 128)
        for index in noise.indices where index % 4 < 3 { noise[index] = UInt8(index * index % 251) }
        let jpeg = DrawnJPEG(width: 512, height: 512) { x, y in [UInt8(x % 251), UInt8(y % 251), UInt8(x * y % 251)] }
        let png = DrawnPNG(width: 128, height: 128, colorType: 0, samples: { x, y in [x * y % 251] })
        let photos = [
            try WebPEncoder.encodeQuickly(Raster(width: 128, height: 128, pixels: noise), colorQuality: 90),
            jpeg.bytes(), png.bytes(),
        ]
        for photo in photos {
            #expect(photo.count > 2048)
            #expect(code(of: photo) == nil)
            var part = photo
            for index in photo.count / 2..<photo.count { part[index] = 0 }
            #expect(PhotoSource.bytes(part).endsEarly(), "\(photo.prefix(12))")
            #expect(code(of: part) == .corrupt, "\(photo.prefix(12))")
        }
        for (zeros, isUnfinished) in [(0, false), (16, false), (512, true)] {
            let photo = try DrawnHEIF(zeros: zeros).bytes()
            #expect(PhotoSource.bytes(photo).endsEarly() == isUnfinished)
            #expect(code(of: photo) == (isUnfinished ? .corrupt : nil), "\(zeros)")
        }
    }

    @Test("A JPEG that announces further pictures ends with the last of them", arguments: [false, true])
    func pictures(isLittle: Bool) {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            isLittle ? littleEndian(value, count) : bigEndian(value, count)
        }
        let first = DrawnJPEG(width: 32, height: 32) { x, y in [UInt8(x * 60), UInt8(y * 50), 30] }.bytes()
        let second = DrawnJPEG(width: 16, height: 16) { _, _ in [9, 8, 7] }.bytes()
        // The header, a directory of one entry, and the list of two pictures: 58 bytes after 4 of the marker and 4 of
        // the name.
        let size = first.count + 4 + 4 + 58
        let entries = number(0, 4) + number(size, 4) + number(0, 8) + number(0, 4) + number(second.count, 4)
        let list = entries + number(size - 10, 4) + number(0, 4)
        let header = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
        let directory = number(1, 2) + number(0xB002, 2) + number(7, 2) + number(32, 4) + number(26, 4) + number(0, 4)
        let segment = Array("MPF\0".utf8) + header + directory + list
        let photo = first[..<2] + [0xFF, 0xE2, 0, UInt8(segment.count + 2)] + segment + first[2...] + second
        #expect(!PhotoSource.bytes(Array(photo)).endsEarly())
        #expect(!PhotoSource.bytes(photo + [1, 2, 3]).endsEarly())
        for length in stride(from: size - 2, to: photo.count, by: 3) {
            #expect(PhotoSource.bytes(Array(photo.prefix(length))).endsEarly(), "\(length) of \(photo.count)")
        }
    }

    @Test(
        "A JPEG whose XMP announces a video or a gain map ends with that, even if it contains end markers",
        arguments: [
            #"GCamera:MicroVideoOffset="40""#,
            #"<Item:Length>0</Item:Length><Item:Padding>8</Item:Padding><Item:Length>32</Item:Length>"#,
            #"Item:Semantic="Primary" Item:Length="0" Item:Semantic="MotionPhoto" Item:Length="40" MicroVideoOffset="40""#,
        ])
    func appended(properties: String) {
        let image = DrawnJPEG(width: 32, height: 32) { x, y in [UInt8(x * 60), UInt8(y * 50), 30] }.bytes()
        let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>\(properties)</x:xmpmeta>".utf8)
        let photo = image[..<2] + [0xFF, 0xE1, 0, UInt8(xmp.count + 2)] + xmp + image[2...]
        for video in [[UInt8](repeating: 7, count: 40), [UInt8](repeating: 0xFF, count: 38) + [0xFF, 0xD9]] {
            #expect(!PhotoSource.bytes(photo + video).endsEarly())
            #expect(!PhotoSource.bytes(photo + video + [1, 2]).endsEarly())
            for length in 0..<40 { #expect(PhotoSource.bytes(photo + video.prefix(length)).endsEarly(), "\(length)") }
        }
    }

    @Test("Whatever follows a complete photo, or is wrong inside it, it does not end early")
    func complete() throws {
        for (photo, _) in try Self.photos() where photo[4...7] != Array("ftyp".utf8)[...] {
            #expect(!PhotoSource.bytes(photo + [UInt8](repeating: 0, count: 300)).endsEarly())
            var damaged = photo
            for index in photo.count / 2..<photo.count / 2 + 8 { damaged[index] = 1 }
            if !photo.starts(with: DrawnPNG.signature) { #expect(!PhotoSource.bytes(damaged).endsEarly()) }
        }
        #expect(!PhotoSource.bytes(Array("GIF89a".utf8)).endsEarly())
        #expect(!PhotoSource.bytes([]).endsEarly())
        #expect(!PhotoSource.descriptor(-1).endsEarly())
    }
}
