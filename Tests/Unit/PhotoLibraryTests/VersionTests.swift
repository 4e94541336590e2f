import GRDB
import LibraryCommands
@testable import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@Suite("A Library of another release", .timeLimit(.minutes(1)))
struct VersionTests {
    private let folder = TemporaryFolder()

    private func open() throws -> Library {
        try LibraryFixture(in: folder, outbox: folder["outbox"].string).library
    }

    private func database() throws -> DatabaseQueue {
        try DatabaseQueue(path: folder["library"].appending(Library.fileName).string)
    }

    /// A Library of this version with a sticker in its outbox.
    private func make(version: Int) async throws {
        try folder.makeFolder("outbox")
        let fixture = try LibraryFixture(in: folder, outbox: folder["outbox"].string)
        try await fixture.make(["a": "p"])
        try fixture.library.close()
        try await database().write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
        try folder.write([1, 2, 3, 4, 5], to: "outbox/p.png")
    }

    @Test("that is older is set aside, and a new one is rebuilt from the outbox; commands say so until then")
    func older() async throws {
        try await make(version: 0)
        let error = #expect(throws: LibraryError.self) { try LibraryReport(of: folder.path) }
        #expect(error?.code == .older && error?.description.contains("start stickerd") == true)
        #expect(throws: LibraryError.self) { try Library.requestRetry(in: folder.path, of: []) }
        do {
            let library = try open()
            let former = try #require(library.quarantined)
            #expect(!former.isDamaged && former.path.lastComponent?.string.hasPrefix("library.older-") == true)
            #expect(try await library.needsRebuilding())
            #expect(try await library.status().stickers == 0)
            let kept = try DatabaseQueue(path: former.path.string)
            #expect(try await kept.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sticker") } == 1)
        }
        #expect(try open().quarantined == nil)
    }

    @Test("that is older is kept as it is until its outbox is there", arguments: ["outbox", "outbox/p.png"])
    func withoutOutbox(missing: String) async throws {
        try await make(version: 0)
        try folder.rename(missing, to: "away")
        let error = #expect(throws: LibraryError.self) { try open() }
        #expect(error?.code == .otherOutbox)
        try folder.rename("away", to: missing)
        #expect(try open().quarantined?.isDamaged == false)
    }

    @Test("that is newer is refused and not changed")
    func newer() async throws {
        try await make(version: 999)
        let error = #expect(throws: LibraryError.self) { try open() }
        #expect(error?.code == .newer)
        #expect(error?.description.contains("install that release again") == true)
        #expect(try await database().read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 999)
    }
}
