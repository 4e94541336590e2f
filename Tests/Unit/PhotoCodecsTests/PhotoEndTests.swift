import Foundation
import PhotoCodecs
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

    private static func photos() throws -> [[UInt8]] {
        jpegs + [
            DrawnPNG(width: 40, height: 30, colorType: 0, samples: { x, y in [x + y] }).bytes(),
            try WebPEncoder.encode(DrawnPicture.disc(width: 64, height: 48)), try DrawnHEIF.fixture("tile.heic"),
            try DrawnHEIF.fixture("tile.avif"),
        ]
    }

    @Test("A file that is cut off at any place ends early, and a complete one does not")
    func cut() throws {
        for photo in try Self.photos() {
            #expect(!PhotoSource.bytes(photo).endsEarly())
            // Before that, the format is unknown.
            for length in 64..<photo.count {
                #expect(PhotoSource.bytes(Array(photo.prefix(length))).endsEarly(), "\(photo.prefix(12)) at \(length)")
            }
        }
    }

    @Test("Whatever follows a complete photo, or is wrong inside it, it does not end early")
    func complete() throws {
        for photo in try Self.photos() where photo[4...7] != Array("ftyp".utf8)[...] {
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
