import PhotoCodecs
import PhotoRaster
import Testing

/// libjpeg itself decodes files with several scans, so each image is decoded from one scan and from several.
struct HuffmanCodeTests {
    @Test(
        "A file in one scan gives exactly the pixels that libjpeg decodes from three scans",
        arguments: [
            // Many and few coefficients, at most scales.
            (factor: 1, share: 0.02, working: 2000), (1, 0.3, 60), (1, 1, 2000), (2, 0.05, 40), (2, 0.2, 80),
            (2, 0.6, 2000), (2, 1, 20),
        ])
    func scans(factor: Int, share: Double, working: Int) throws {
        for seed: UInt64 in 1...8 {
            let drawn = CodedJPEG(across: 9, down: 7, factor: factor, share: share, seed: seed)
            let expected = try decode(drawn.inThreeScans(), working).raster
            #expect(try decode(drawn.inOneScan(), working).raster == expected, "seed \(seed)")
            for interval in [1, 5, 9] {
                let restarted = drawn.inOneScan(restartInterval: interval)
                #expect(try decode(restarted, working).raster == expected, "seed \(seed), restarts every \(interval)")
            }
        }
    }

    @Test("So does a region of it")
    func region() throws {
        let region = PixelRect(x: 37, y: 42, width: 61, height: 30)
        for interval in [0, 4] {
            let drawn = CodedJPEG(across: 9, down: 7, factor: 2, share: 0.3, seed: 5)
            let expected = try PhotoDecoder().decode(.bytes(drawn.inThreeScans()), workingSide: 50, region: region)
            let one = drawn.inOneScan(restartInterval: interval)
            #expect(try PhotoDecoder().decode(.bytes(one), workingSide: 50, region: region).raster == expected.raster)
        }
    }

    @Test("A file in one scan is corrupt at every length, with and without restarts", arguments: [0, 3])
    func cut(interval: Int) {
        let bytes = CodedJPEG(across: 3, down: 2, factor: 2, share: 0.2, seed: 3).inOneScan(restartInterval: interval)
        for length in stride(from: bytes.count - 4, to: 700, by: -7) {
            #expect(code(of: Array(bytes.prefix(length))) == .corrupt, "cut at \(length)")
        }
    }

    @Test("A code that is not in the table is corrupt")
    func unknownCode() {
        var bytes = CodedJPEG(across: 3, down: 2, factor: 1, share: 0.2, seed: 3).inOneScan()
        let middle = bytes.count - 200
        // Fifteen ones are in no table, and each 255 needs a zero.
        for offset in stride(from: middle, to: middle + 8, by: 2) { (bytes[offset], bytes[offset + 1]) = (0xFF, 0) }
        #expect(code(of: bytes) == .corrupt)
    }
}
