import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

/// JPEGs that every viewer shows although a little is wrong with them.
@Suite("Flawed JPEG")
struct FlawedJPEGTests {
    /// Twelve rows of blocks, whose units have one block or six.
    private func drawn(_ factor: Int) -> CodedJPEG {
        CodedJPEG(across: 9, down: 12, factor: factor, share: 0.05, seed: 3)
    }

    @Test("Without its last bytes, only a photo's last row of blocks is lost", arguments: [1, 2], [960, 70, 30])
    func lastBytes(factor: Int, working: Int) throws {
        let bytes = drawn(factor).inOneScan()
        let whole = try decode(bytes, working).raster
        let width = whole.width * Raster.channels
        // The row above the lost ones is smoothed with them.
        let kept = (whole.height * 11 / 12 - 1) * width
        for missing in 1...9 {
            let photo = try decode(bytes.dropLast(2 + 3 * missing) + [0xFF, 0xD9], working)
            #expect(try #require(photo.flaw).contains("premature end"))
            #expect(photo.raster.pixels[..<kept].elementsEqual(whole.pixels[..<kept]))
            // Nothing of what libjpeg invents is in the picture: the last row of all is that before the lost ones.
            #expect(photo.raster.pixels.suffix(width) == photo.raster.pixels.dropLast(width).suffix(width))
        }
        #expect(try decode(bytes, working).flaw == nil)
        for share in [2, 3, 5] {
            #expect(code(of: bytes.prefix(bytes.count * (share - 1) / share) + [0xFF, 0xD9]) == .corrupt)
        }
    }

    @Test("A region of nothing but lost rows has libjpeg's pixels, not what memory had", arguments: [1, 2])
    func lostRegion(factor: Int) throws {
        let bytes = drawn(factor).inOneScan()
        let side = Double(8 * factor)
        let region = PixelRect(x: 0, y: 11 * side + 1, width: 9 * side, height: side - 1)
        let photo = try PhotoDecoder().decode(
            .bytes(bytes.dropLast(29) + [0xFF, 0xD9]), workingSide: 960, region: region)
        #expect(photo.flaw != nil)
        #expect(pixels(photo).allSatisfy { $0[3] == 255 })
    }

    /// Where the data of each restart interval begins, after its marker.
    private func restarts(in bytes: [UInt8]) -> [Int] {
        bytes.indices.dropLast().filter { bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1]) }
    }

    @Test("One wrong restart number is ignored; two, or a lost interval, are damage", arguments: [1, 2])
    func restartNumbers(factor: Int) throws {
        let bytes = drawn(factor).inOneScan(restartInterval: 5)
        let whole = try decode(bytes, 960)
        let markers = restarts(in: bytes)
        #expect(markers.count > 12 && whole.flaw == nil)
        for step: UInt8 in [1, 4, 7] {
            var wrong = bytes
            wrong[markers[6] + 1] = 0xD0 + (wrong[markers[6] + 1] + step) % 8
            let photo = try decode(wrong, 960)
            #expect(photo.raster == whole.raster)
            #expect(try #require(photo.flaw).contains("RST"))
            wrong[markers[9] + 1] = 0xD0 + (wrong[markers[9] + 1] + step) % 8
            #expect(code(of: wrong) == .corrupt)
        }
        #expect(code(of: Array(bytes[..<markers[6]]) + bytes[markers[7]...]) == .corrupt)
    }

    @Test(
        "A progressive photo whose last refinement lacks its last bytes is less precise; one that is cut there is not read"
    )
    func refinement() throws {
        let bytes = try FuzzCorpus.bytes(of: "progressive.jpg", in: "jpeg")
        let whole = try decode(bytes, 960).raster
        for missing in [1, 3, 8] {
            let photo = try decode(bytes.dropLast(2 + missing) + [0xFF, 0xD9], 960)
            #expect(photo.flaw != nil)
            let difference = zip(photo.raster.pixels, whole.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(difference < 4 * whole.pixels.count)
            #expect(code(of: Array(bytes.dropLast(2 + missing))) == .corrupt)
        }
    }

    @Test(
        "All scans without the end marker are a whole photo; without the last scan it is truncated",
        arguments: [960, 12])
    func endMarker(working: Int) throws {
        for bytes in [drawn(2).progressive(), drawn(2).inThreeScans()] {
            let whole = try decode(bytes, working)
            for end in [[], [0xFF]] as [[UInt8]] {
                let photo = try decode(bytes.dropLast(2) + end, working)
                #expect(photo.raster == whole.raster)
                #expect(photo.flaw != nil && whole.flaw == nil)
            }
            let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
            #expect(throws: CodecError.self) { try decode(Array(bytes[..<(scans.last ?? 0)]), working) }
        }
    }
}
