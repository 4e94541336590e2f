import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite struct ContentDigestTests {
    @Test(
        "The digest is SHA-256 (FIPS 180-2)",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func known(text: String, digest: String) throws {
        #expect(try ContentDigest.sha256(of: Array(text.utf8)).hex == digest)
    }

    @Test("A file's digest is that of its bytes, and its offset stays", arguments: [0, 1, 262_143, 262_144, 600_001])
    func file(count: Int) throws {
        let folder = TemporaryFolder()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try folder.write(bytes, to: "file")
        let file = try OwnedDescriptor(opening: folder["file"])
        let digest = try ContentDigest.sha256(ofDescriptor: file.raw, limit: count)
        #expect(try digest == ContentDigest.sha256(of: bytes))
        #expect(try digest == ContentDigest.sha256(ofDescriptor: file.raw, limit: count))
    }

    @Test("A file over the limit is rejected")
    func limit() throws {
        let folder = TemporaryFolder()
        try folder.write([1, 2, 3], to: "file")
        let file = try OwnedDescriptor(opening: folder["file"])
        let raw = file.raw
        #expect(throws: Errno.fileTooLarge) { try ContentDigest.sha256(ofDescriptor: raw, limit: 2) }
    }
}
