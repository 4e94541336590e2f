import Testing

@testable import SubjectModel

struct WeightsDigestTests {
    @Test("The digest is 64-bit FNV-1a of the embedded file")
    func embedded() {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let file = EmbeddedWeights()
        file.read(0..<file.byteCount) { bytes in
            for offset in 0..<bytes.byteCount { hash = (hash ^ UInt64(bytes.byte(at: offset))) &* 0x100_0000_01b3 }
        }
        #expect(SubjectNetwork.weightsDigest == String(hash, radix: 16))
    }
}
