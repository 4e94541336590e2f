import LinuxIO

/// A photo's file, held open from the moment its bytes were hashed until the work on it ends, so that nothing else can
/// slip in under its name in between.
package final class OpenPhoto: Sendable {
    private let file: OwnedDescriptor
    private let identity: FileIdentity
    /// SHA-256 of the bytes, lowercase hexadecimal.
    package let sha256: String

    /// False for one that was moved out of the inbox, or never was in it.
    let isInInbox: Bool

    init(file: consuming OwnedDescriptor, identity: FileIdentity, sha256: String, isInInbox: Bool) {
        self.isInInbox = isInInbox
        self.file = file
        self.identity = identity
        self.sha256 = sha256
    }

    /// Borrowed: valid while this object lives.
    package var descriptor: Int32 { file.raw }

    /// Whether nobody has written to the file since it was hashed. A rename or a new link changes nothing here.
    func isUntouched() -> Bool {
        guard let now = try? FileStatus(ofDescriptor: file.raw).identity else { return false }
        return now.size == identity.size && now.modified == identity.modified
    }
}
