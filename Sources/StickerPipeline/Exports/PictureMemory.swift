import LinuxIO
import SystemPackage

/// What one process remembers of stickers' files, so that they are read and drawn once: the SHA-256 of each version of
/// a file, because a sticker's name has only digits of its photo's digest; and which pictures cannot be made.
final class PictureMemory {
    /// A full list is emptied: the files are then read again. An entry has about 150 bytes.
    private static let maxEntries = 100_000
    /// Larger files are no stickers.
    static let maxBytes = 64 << 20

    private var digests: [FileIdentity: String] = [:]
    private var refusals: [String: String] = [:]

    /// The digest of an open file in hexadecimal.
    func digest(of file: borrowing OwnedDescriptor) throws(Errno) -> (identity: FileIdentity, hex: String) {
        let identity = try FileStatus(ofDescriptor: file.raw).identity
        if let hex = digests[identity] { return (identity, hex) }
        let hex = try ContentDigest.sha256(ofDescriptor: file.raw, limit: Self.maxBytes).hex
        if digests.count >= Self.maxEntries { digests = [:] }
        digests[identity] = hex
        return (identity, hex)
    }

    /// Why the picture of this name in the store cannot be made; nil if that was not tried.
    func refusal(of picture: String) -> String? { refusals[picture] }

    func remember(refusal reason: String, of picture: String) {
        if refusals.count >= Self.maxEntries { refusals = [:] }
        refusals[picture] = reason
    }

    /// Makes the next pass try everything again.
    func forgetRefusals() { refusals = [:] }
}
