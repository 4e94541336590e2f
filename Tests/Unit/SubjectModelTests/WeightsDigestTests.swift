import PhotoRaster
import SubjectModel
import Testing

struct WeightsDigestTests {
    /// From the authors' test vectors (http://www.isthe.com/chongo/tech/comp/fnv/).
    @Test(
        "A fingerprint is 64-bit FNV-1a",
        arguments: [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
            as [(String, UInt64)])
    func publishedVectors(text: String, expected: UInt64) {
        let bytes = Array(text.utf8)
        // Bytes have no uninitialized padding.
        #expect(SubjectNetwork.fingerprint(of: unsafe bytes.span.bytes) == expected)
    }

    @Test("The digest of the embedded weights is 16 hex digits and not the digest of no bytes")
    func embedded() throws {
        let digest = SubjectNetwork.weightsDigest
        #expect(digest.wholeMatch(of: /[0-9a-f]{16}/) != nil)
        #expect(digest != "cbf29ce484222325")
    }

    @Test("Building a network takes the weights out of memory, and they can be read again")
    func unloaded() async throws {
        _ = try SubjectNetwork()
        let network = try SubjectNetwork()
        let photo = Raster(width: 8, height: 8, pixels: (0..<256).map { UInt8($0) })
        let probability = try await network.probability(of: photo)
        #expect(probability.values.allSatisfy { (0...1).contains($0) })
        #expect(probability == (try await SubjectNetwork().probability(of: photo)))
    }
}
