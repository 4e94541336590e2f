import PhotoLibrary
import StickerPipeline
import Synchronization
import SystemPackage

/// Opens photos as the real reader does, but fails on some of them as long as it is told to.
final class FaultyReader: PhotoOpening {
    private let real: PhotoReader
    private let faults = Mutex<[InboxPath: Errno]>([:])
    private let tries = Mutex(0)

    init() throws {
        real = try PhotoReader()
    }

    /// nil mends the photo.
    func fail(_ name: String, with fault: Errno?) {
        faults.withLock { $0[PipelineFixture.path(name)] = fault }
    }

    /// How often it failed.
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
