import FileNames
import Glibc
import LinuxIO
import PhotoLibrary
import Synchronization
import SystemPackage
import Workers

/// Opens photos like the real reader, but fails for some of them.
final class FaultyReader: PhotoOpening {
    private let real: PhotoReader
    private let faults = Mutex<[InboxPath: Errno]>([:])
    private let tries = Mutex(0)

    init() throws {
        real = try PhotoReader()
    }

    /// - Parameter fault: nil makes the photo readable.
    func fail(_ name: String, with fault: Errno?) {
        faults.withLock { $0[PipelineFixture.path(name)] = fault }
    }

    /// The number of failures so far.
    var failures: Int { tries.withLock { $0 } }

    func open(_ claim: Claim, in inbox: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto {
        if let fault = faults.withLock({ $0[claim.path] }) {
            tries.withLock { $0 += 1 }
            throw PhotoReadError(fault)
        }
        return try await real.open(claim, in: inbox, maxFileBytes: maxFileBytes)
    }

    var partsRead: Int { real.partsRead }

    func open(_ path: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto {
        try await real.open(path, maxFileBytes: maxFileBytes)
    }
}

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
