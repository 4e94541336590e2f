import LinuxIO
package import SystemPackage

/// A photo's file, open from hashing to the end of the work, so that no other file can take its name's place meanwhile.
package final class OpenPhoto: Sendable {
    private let file: OwnedDescriptor
    private let identity: FileIdentity
    /// SHA-256 of the bytes, lowercase hexadecimal.
    package let sha256: String

    /// False if it was moved out of the inbox, or never was in it.
    let isInInbox: Bool

    init(file: consuming OwnedDescriptor, identity: FileIdentity, sha256: String, isInInbox: Bool) {
        self.isInInbox = isInInbox
        self.file = file
        self.identity = identity
        self.sha256 = sha256
    }

    /// Borrowed: valid while this object lives.
    package var descriptor: Int32 { file.raw }

    /// Whether the file was not written to since it was hashed. A rename or a new link does not count.
    func isUntouched() -> Bool {
        guard let now = try? FileStatus(ofDescriptor: file.raw).identity else { return false }
        return now.size == identity.size && now.modified == identity.modified
    }
}

/// Why a photo could not be read.
package enum PhotoReadError: Error, Sendable, Equatable {
    /// The file is gone.
    case gone
    /// The file is missing, but the inbox's path leads to another folder than before: the photo may still exist.
    case away
    /// Another file has the name, or the file was written to.
    case changed
    /// The file is empty. Its writer may have it open and write later.
    case empty
    /// The file can never be read, with the reason in one line.
    case refused(String)
    /// A transient error, which does not count against the photo.
    case transient(Errno)
    /// Another process has a lease on the file (fcntl(2)). Opening the file has asked that process to release it.
    case leased

    /// Classifies an error of opening or reading the file; permanent ones become `.refused`.
    package init(_ error: Errno) {
        self =
            switch error {
            // Opening a file with O_NONBLOCK: a lease. (In pthread_create(3) the same number means a shortage.)
            case .wouldBlock: .leased
            case _ where error.isTransient: .transient(error)
            case .noSuchFileOrDirectory, .notDirectory: .gone
            case .tooManySymbolicLinkLevels: .changed
            case .permissionDenied:
                .refused("permission denied; make the file readable for the user that stickerd runs as")
            default: .refused("the file cannot be read: \(error)")
            }
    }

    /// One line for a person.
    package var reason: String {
        switch self {
        case .gone: "there is no such file"
        case .away: "the inbox is unavailable"
        case .changed: "the file changed while it was read"
        case .empty: "the file is empty"
        case .refused(let reason): reason
        case .transient(let cause): "the file cannot be read: \(cause)"
        case .leased: "another process has a lease on the file"
        }
    }
}
