import LinuxIO
package import SystemPackage

/// A model that the settings name: open for as long as workers may need it, and known by its bytes. Only workers look
/// further into it.
package final class ModelFile: Sendable {
    /// No larger file is hashed, or read by a worker.
    private static let maxBytes = 1 << 30

    private let file: OwnedDescriptor
    private let identity: FileIdentity
    /// SHA-256, lowercase hexadecimal: what stands in recipes for the network's weights.
    package let fingerprint: String

    /// Reads the file to its end.
    ///
    /// - Throws: `Errno.fileTooLarge`; `Errno.invalidArgument` if it is no regular file.
    package init(opening path: FilePath) throws(Errno) {
        // Opening a FIFO must not wait for a writer.
        let file = try OwnedDescriptor(opening: path, options: .nonBlocking)
        let raw = file.raw
        let status = try FileStatus(ofDescriptor: raw)
        guard status.kind == .regular else { throw .invalidArgument }
        fingerprint = try ContentDigest.sha256(ofDescriptor: raw, limit: Self.maxBytes).hex
        identity = status.identity
        self.file = file
    }

    /// Borrowed: valid while this object lives.
    var descriptor: Int32 { file.raw }

    var byteCount: Int { Int(identity.size) }

    /// Whether nothing has written to the file since it was opened: other bytes would be another network under the
    /// same fingerprint.
    var isUntouched: Bool {
        guard let now = try? FileStatus(ofDescriptor: file.raw).identity else { return false }
        return now.size == identity.size && now.modified == identity.modified
    }
}
