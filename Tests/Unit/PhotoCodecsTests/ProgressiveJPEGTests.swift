import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

@Suite("Progressive JPEG")
struct ProgressiveJPEGTests {
    /// Less than the coefficients of any image here take unpacked, and more than they take packed.
    private func packing(_ count: Int) -> DecodeLimits {
        var limits = DecodeLimits()
        limits.maxMemory = count
        return limits
    }

    @Test(
        "Several scans give exactly the pixels of one, whether their coefficients are kept packed or not",
        arguments: [
            // The working sides select an eighth, where scans are skipped, two eighths, five eighths and the full size.
            (factor: 1, share: 0.1, working: 5), (1, 0.1, 12), (1, 0.3, 40), (1, 0.02, 2000),
            (2, 0.1, 5), (2, 0.2, 12), (2, 0.02, 80), (2, 0.3, 2000),
        ])
    func scans(factor: Int, share: Double, working: Int) throws {
        for seed: UInt64 in 1...4 {
            let drawn = CodedJPEG(across: 9, down: 7, factor: factor, share: share, seed: seed)
            let expected = try decode(drawn.inOneScan(), working).raster
            let blocks = drawn.blocks.map { $0.across * $0.down }.reduce(0, +)
            for limits in [DecodeLimits(), packing(blocks * 127)] {
                #expect(try decode(drawn.inThreeScans(), working, limits).raster == expected, "seed \(seed)")
                #expect(try decode(drawn.progressive(), working, limits).raster == expected, "seed \(seed)")
            }
        }
    }

    @Test("Coefficients that get more precise from scan to scan can be packed", arguments: [6, 20, 100])
    func refined(working: Int) throws {
        let bytes = try FuzzCorpus.bytes(of: "progressive.jpg", in: "jpeg")
        let packed = try decode(bytes, working, packing(5000)).raster
        #expect(try decode(bytes, working).raster == packed)
    }

    @Test("A region has the pixels of one scan")
    func region() throws {
        let region = PixelRect(x: 37, y: 42, width: 61, height: 30)
        let drawn = CodedJPEG(across: 9, down: 7, factor: 2, share: 0.1, seed: 5)
        for working in [5, 50] {
            let expected = try PhotoDecoder().decode(.bytes(drawn.inOneScan()), workingSide: working, region: region)
            for limits in [DecodeLimits(), packing(30000)] {
                let part = try PhotoDecoder(limits: limits)
                    .decode(.bytes(drawn.progressive()), workingSide: working, region: region)
                #expect(part.raster == expected.raster)
            }
        }
    }

    @Test("A file cut in a scan that is skipped is corrupt")
    func cut() {
        let bytes = CodedJPEG(across: 9, down: 7, factor: 2, share: 0.1, seed: 2).progressive()
        for length in stride(from: bytes.count - 4, to: bytes.count - 200, by: -7) {
            #expect(throws: CodecError.self, "cut at \(length)") { try decode(Array(bytes.prefix(length)), 5) }
        }
    }

    @Test("The memory limit applies to the packed coefficients of progressive files, not to baseline ones")
    func limit() throws {
        var drawn = DrawnJPEG(width: 2048, height: 1024) { _, _ in [1, 2, 3] }
        // About three bytes for each of 98,304 blocks.
        let tooSmall = packing(200_000)
        #expect(throws: Never.self) { try decode(drawn.bytes(), 64, tooSmall) }
        drawn.isProgressive = true
        let error = try #require(throws: CodecError.self) { try decode(drawn.bytes(), 64, tooSmall) }
        #expect(error.code == .overLimit)
        #expect(error.description.contains("limits.maxMemory"))
        #expect(throws: Never.self) { try decode(drawn.bytes(), 64, packing(400_000)) }
    }
}
