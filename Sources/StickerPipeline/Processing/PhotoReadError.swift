import LinuxIO
package import SystemPackage

/// Why a photo's bytes could not be had.
package enum PhotoReadError: Error, Sendable, Equatable {
    /// Nothing has that name any more.
    case gone
    /// Nothing has that name, in a folder that is not the inbox of a moment ago: that says nothing about the photo.
    case away
    /// Another file than the one expected has that name, or somebody wrote to it.
    case changed
    /// It has no bytes. Its writer may still have it open, and write later.
    case empty
    /// Not to be read at all; one line for a person.
    case refused(String)
    /// The disk or the system is in trouble; the photo may be as good as any.
    case trouble(Errno)
    /// Another process has a lease on the file (fcntl(2)). Opening the file has asked that process to release it.
    case leased

    /// What an error of opening or reading the file says about the photo; `.refused` where nothing better is known.
    package init(_ error: Errno) {
        self =
            switch error {
            // For a file opened without waiting, this means a lease; when a thread is made, it means a shortage.
            case .wouldBlock: .leased
            case _ where error.isTransient: .trouble(error)
            case .noSuchFileOrDirectory, .notDirectory: .gone
            case .tooManySymbolicLinkLevels: .changed
            case .permissionDenied:
                .refused("stickerd may not read the file; make it readable for the user that stickerd runs as")
            default: .refused("the file cannot be read: \(error)")
            }
    }

    /// One line for a person.
    package var reason: String {
        switch self {
        case .gone: "there is no such file"
        case .away: "the inbox is not there"
        case .changed: "the file changed while it was read"
        case .empty: "the file is empty"
        case .refused(let reason): reason
        case .trouble(let cause): "the file cannot be read: \(cause)"
        case .leased: "another process has a lease on the file"
        }
    }
}
