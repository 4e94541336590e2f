import FileNames
import PhotoLibrary
import Synchronization
import SystemPackage
import Testing
import Workers

/// Opens photos like the real reader, and calls a test after each.
final class HookedReader: PhotoOpening {
    private let real: PhotoReader
    private let hook: @Sendable (FilePath, Int) async throws -> Void
    private let count = Atomic(0)

    /// - Parameter hook: called with a photo's path, and how many were opened.
    init(_ hook: @escaping @Sendable (FilePath, Int) async throws -> Void) throws {
        real = try PhotoReader()
        self.hook = hook
    }

    /// How many photos were opened.
    var opened: Int { count.load(ordering: .relaxed) }
    var partsRead: Int { real.partsRead }

    func open(_ claim: Claim, in inbox: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto {
        let photo = try await real.open(claim, in: inbox, maxFileBytes: maxFileBytes)
        let number = count.add(1, ordering: .relaxed).newValue
        do { try await hook(inbox.appending(claim.path.description), number) } catch { Issue.record(error) }
        return photo
    }

    func open(_ path: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto {
        try await real.open(path, maxFileBytes: maxFileBytes)
    }
}
