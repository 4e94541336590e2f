import Foundation
import PhotoLikeness
import PhotoRaster
import TestSupport
import Testing

@Suite("Perceptual hashes")
struct LikenessTests {
    @Test("A likeness may live across an await: Swift's task allocator aligns to 16 bytes")
    func alignment() {
        #expect(MemoryLayout<PerceptualHash>.alignment <= 16)
        #expect(MemoryLayout<PerceptualHash?>.alignment <= 16)
    }

    @Test("An image made larger, smaller, darker, paler, gray or noisy is a near-duplicate", arguments: Change.allCases)
    func same(change: Change) throws {
        let original = try #require(PerceptualHash(of: DrawnScene(seed: 1).raster(width: 450, height: 300)))
        let changed = try #require(PerceptualHash(of: change.raster(of: DrawnScene(seed: 1))))
        #expect(original.distance(to: changed) <= PerceptualHash.alike, "\(change)")
    }

    @Test("Different images are not near-duplicates")
    func different() throws {
        let all = try (1...20).map { seed in
            try #require(PerceptualHash(of: DrawnScene(seed: seed).raster(width: 150, height: 100)))
        }
        for (index, one) in all.enumerated() {
            for other in all[..<index] { #expect(one.distance(to: other) > PerceptualHash.alike) }
        }
    }

    @Test("An image with almost no content has no likeness")
    func flat() {
        #expect(PerceptualHash(of: DrawnPicture.flat(width: 300, height: 200, 90, 90, 90)) == nil)
        #expect(PerceptualHash(of: DrawnPicture.flat(width: 1, height: 1, 255, 0, 0)) == nil)
        var gradient = Raster(width: 320, height: 200)
        for index in gradient.pixels.indices {
            gradient.pixels[index] = index % 4 == 3 ? 255 : UInt8(40 + index / 4 % 320 / 2)
        }
        #expect(PerceptualHash(of: gradient) == nil)
    }

    @Test("Transparent pixels count as white, whatever their color")
    func transparent() throws {
        var hidden = DrawnScene(seed: 1).raster(width: 300, height: 200)
        var white = hidden
        for pixel in 0..<300 * 60 {
            hidden.pixels[pixel * 4 + 3] = 0
            for channel in 0..<3 { white.pixels[pixel * 4 + channel] = 255 }
        }
        let likeness = try #require(PerceptualHash(of: hidden))
        #expect(likeness == PerceptualHash(of: white))
    }

    @Test("The bits are the same on every machine")
    func reproducible() throws {
        let likeness = try #require(PerceptualHash(of: DrawnScene(seed: 1).raster(width: 301, height: 199)))
        #expect(likeness.description == "9c52301a60de5ed7b6a352235b8ca3404504a2c2adb47b5627518e81ea4f116b")
    }

    @Test("Bytes and JSON are decoded to the same likeness; only 32 bytes are valid")
    func stored() throws {
        let likeness = try #require(PerceptualHash(of: DrawnScene(seed: 2).raster(width: 120, height: 90)))
        #expect(PerceptualHash(bytes: likeness.bytes) == likeness)
        #expect(try JSONDecoder().decode(PerceptualHash.self, from: JSONEncoder().encode(likeness)) == likeness)
        #expect(PerceptualHash(bytes: likeness.bytes.dropLast()) == nil)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PerceptualHash.self, from: Data("[1,2]".utf8)) }
    }

    @Test("A list finds every likeness within the limit, whichever bits differ, oldest first")
    func list() throws {
        let likeness = try #require(PerceptualHash(of: DrawnScene(seed: 3).raster(width: 120, height: 90)))
        var list = PerceptualHashList()
        var bytes = likeness.bytes
        // Each differs in one bit more than the previous one.
        for (count, bit) in (0..<PerceptualHash.bitCount).map({ $0 * 37 % PerceptualHash.bitCount }).enumerated() {
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            list.append(try #require(PerceptualHash(bytes: bytes)), id: Int64(count + 1))
        }
        for limit in [0, 1, 52, 128, PerceptualHash.bitCount] {
            let matches = list.matches(of: likeness, within: limit)
            #expect(matches.map(\.distance) == Array(1..<limit + 1))
            #expect(matches.map(\.id) == Array(1..<Int64(limit) + 1))
        }
        #expect(list.matches(of: likeness, within: 52, before: 20).map(\.id) == Array(1..<20))
        #expect(list.last == 256)
        #expect(PerceptualHashList().matches(of: likeness, within: 256).isEmpty)
    }
}
