import PhotoLibrary
import StickerDaemon
import SystemPackage
import TestSupport
import Testing

@Suite("Exit statuses")
struct ExitStatusTests {
    @Test("A Library that these settings cannot use prevents a restart; a busy one does not")
    func library() throws {
        let folder = try TemporaryFolder()
        do {
            let first = try Library(in: folder.path, outbox: "/one")
            let busy = #expect(throws: LibraryError.self) { _ = try Library(in: folder.path, outbox: "/one") }
            #expect(busy.map { Daemon.exitStatus(for: $0) } == ExitStatus.failure)
            try first.close()
        }
        let other = #expect(throws: LibraryError.self) { _ = try Library(in: folder.path, outbox: "/two") }
        #expect(other.map { Daemon.exitStatus(for: $0) } == ExitStatus.configuration)
        #expect(Daemon.exitStatus(for: Errno.noSpace) == ExitStatus.failure)
    }
}
