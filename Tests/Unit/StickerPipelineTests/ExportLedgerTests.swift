import LinuxIO
import Outbox
import PackLedger
import Testing
import TestSupport

@testable import Exports

@Suite("The ledger of an export")
struct ExportLedgerTests {
    private let fixture = PipelineFixture()
    private let folder: OpenFolder
    private let paths: Set<ExportPath>

    init() throws {
        folder = try OpenFolder.opened(at: fixture.folder["outbox"])
        paths = Set(["a", "b", "c"].compactMap { ExportPath($0) })
    }

    private func ledger() async throws -> ExportLedger {
        try await ExportLedger(in: folder, .init(library: fixture.library, pack: "", export: "fake"))
    }

    private func row(_ path: ExportPath) -> (path: ExportPath, key: String, stamp: FileStamp) {
        (path, "key", FileStamp(bytes: 1, modified: 1))
    }

    @Test("A list that is as it was written needs no reading")
    func unread() async throws {
        var ledger = try await ledger()
        try await ledger.intend(Array(paths))
        try await ledger.keep(paths, paths.map(row))
        let modified = try #require(try folder.status(of: "files.txt")).identity.modified
        let other = try folder.draft()
        try other.write(Array("x\ny\nz\n".utf8))
        try other.setModified(modified)
        try other.publish(as: "files.txt")
        #expect(try await self.ledger().paths == paths)
    }

    @Test("A list of which a rebuilt Library has recorded only some files is read")
    func rebuilt() async throws {
        var ledger = try await ledger()
        try await ledger.intend(Array(paths))
        try await ledger.keep(paths, paths.map(row))
        try await fixture.library.forget([.export("fake")], ofPack: "")
        var rebuilt = try await self.ledger()
        #expect(rebuilt.paths == paths)
        // As after a write that failed.
        try await rebuilt.keep(paths, paths.prefix(1).map(row))
        #expect(try await self.ledger().paths == paths)
    }
}
