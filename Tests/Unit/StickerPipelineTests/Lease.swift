import Glibc
import LinuxIO
import SystemPackage

/// A write lease on a file (fcntl(2)): until it ends, open(2) of the file with O_NONBLOCK fails with EWOULDBLOCK.
final class Lease: Sendable {
    // Macros in fcntl.h that Swift does not import.
    private static let setLease: Int32 = 1024
    private static let setSignal: Int32 = 10

    private let file: OwnedDescriptor

    init(of path: FilePath) throws {
        file = try OwnedDescriptor(opening: path, .readWrite)
        // The default signal is SIGIO, which ends a process.
        _ = try Errno.retry { fcntl(file.raw, Self.setSignal, SIGURG) }
        _ = try Errno.retry { fcntl(file.raw, Self.setLease, F_WRLCK) }
    }

    func end() throws { _ = try Errno.retry { fcntl(file.raw, Self.setLease, F_UNLCK) } }
}
