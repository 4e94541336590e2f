import FileNames
import PhotoLibrary
import Synchronization
import SystemPackage
import Testing
import Workers

/// Opens photos like the real reader, but fails for some of them, and calls a test after each other one.
final class HookedReader: PhotoOpening {
    private let real: PhotoReader
    private let hook: @Sendable (FilePath, Int) async throws -> Void
    private let count = Atomic(0)
    private let faults = Mutex<[InboxPath: Errno]>([:])
    private let tries = Atomic(0)

    /// - Parameter hook: called with a photo's path, and how many were opened.
    init(_ hook: @escaping @Sendable (FilePath, Int) async throws -> Void = { _, _ in }) throws {
        real = try PhotoReader()
        self.hook = hook
    }

    /// - Parameter fault: nil makes the photo readable.
    func fail(_ name: String, with fault: Errno?) {
        faults.withLock { $0[PipelineFixture.path(name)] = fault }
    }

    /// The number of failures so far.
    var failures: Int { tries.load(ordering: .relaxed) }

    /// How many photos were opened.
    var opened: Int { count.load(ordering: .relaxed) }
    var partsRead: Int { real.partsRead }

    func open(_ claim: Claim, in inbox: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto {
        if let fault = faults.withLock({ $0[claim.path] }) {
            tries.add(1, ordering: .relaxed)
            throw PhotoReadError(fault)
        }
        let photo = try await real.open(claim, in: inbox, maxFileBytes: maxFileBytes)
        let number = count.add(1, ordering: .relaxed).newValue
        do { try await hook(inbox.appending(claim.path.description), number) } catch { Issue.record(error) }
        return photo
    }

    func open(_ path: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto {
        try await real.open(path, maxFileBytes: maxFileBytes)
    }
}
