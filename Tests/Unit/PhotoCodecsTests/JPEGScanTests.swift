import PhotoCodecs
import Testing

@Suite("Damaged and large scans of JPEGs")
struct JPEGScanTests {
    private func packing(_ count: Int) -> DecodeLimits {
        var limits = DecodeLimits()
        limits.maxMemory = count
        return limits
    }

    @Test("A file cut in a scan that is skipped is corrupt")
    func cutSkipped() {
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
