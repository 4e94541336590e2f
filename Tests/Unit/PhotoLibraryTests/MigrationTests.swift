import Foundation
import GRDB
@testable import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@Suite("A Library of another release", .timeLimit(.minutes(1)))
struct MigrationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("state")
    }

    /// - Parameter place: earlier releases have the file in the state folder itself.
    private func open(in place: String = "state") throws -> DatabaseQueue {
        try DatabaseQueue(path: folder[place].appending(PhotoLibrary.fileName).string)
    }

    /// A Library of the first release: one photo done, one pending, one failed.
    private func writeFirstRelease() throws {
        let database = try open()
        try Schema.migrator.migrate(database, upTo: "1")
        try database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO photo VALUES ('p', 'jpeg', 40, 30, 5, '2026-01-01 00:00:00.000');
                    INSERT INTO recipe VALUES ('r', '{}', '2026-01-01 00:00:00.000');
                    INSERT INTO result VALUES ('p', 'r', 'made', NULL, 0.9, '[{"hex":"#ff0000","weight":1}]',
                        '2026-01-01 00:00:01.000');
                    INSERT INTO pack VALUES ('', '', 7);
                    INSERT INTO sticker VALUES (1, '', 'p', 0, 1, 'r', 1, 'a-1.png', 40, 30, 99, 's', 0.9,
                        '2026-01-01 00:00:01.000', 1);
                    """)
            let states = [("a.jpg", "done", "p"), ("b.jpg", "pending", nil), ("c.jpg", "failed", nil)]
            for (number, (path, state, photo)) in states.enumerated() {
                try database.execute(
                    sql: """
                        INSERT INTO file (path, folder, pack, device, inode, size, modified, changed, arrival, state, photo,
                            stateSince) VALUES (?, '', '', 1, ?, 5, 6, 7, ?, ?, ?, '2026-01-01 00:00:01.000')
                        """, arguments: [path, number + 1, number + 1, state, photo])
            }
        }
        try database.close()
    }

    @Test("of the first release is migrated without loss")
    func first() async throws {
        try writeFirstRelease()
        let library = try PhotoLibrary(in: folder["state"], outbox: "/outbox")
        let status = try await library.status()
        #expect(status.photos[.done] == 1)
        #expect(status.photos[.pending] == 1)
        #expect(status.photos[.failed] == 1)
        #expect(try await library.summary(ofPack: "", listed: 0).revision == 7)
        let stickers = try await library.stickers(ofPack: "", after: .start, limit: 9)
        #expect(stickers.map(\.sticker.file) == ["a-1.png"])
        #expect(stickers.map(\.sticker.stem) == ["a"])
        // Folders of packs are found by their folded names, too.
        #expect(try await library.folder(ofPack: "other", candidates: ["", "other"]) == "other")
        // The first release stored schemes, which are not samples.
        #expect(stickers.first?.colors == nil)
        #expect(try await library.claim(limit: 9).map(\.path.description) == ["b.jpg"])
        try library.close()
    }

    @Test("that is newer is refused and not changed")
    func newer() throws {
        try PhotoLibrary(in: folder["state"], outbox: "/outbox").close()
        let database = try open(in: "state/library")
        try database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999')") }
        try database.close()
        let error = #expect(throws: LibraryError.self) { try PhotoLibrary(in: folder["state"], outbox: "/outbox") }
        #expect(error?.code == .newer)
        #expect(error?.description.contains("install that release again") == true)
        let version = try open(in: "state/library").read { database in
            try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")
        }
        #expect(version.contains("999"))
    }
}
