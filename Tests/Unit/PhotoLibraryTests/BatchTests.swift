import GRDB
import LibraryCommands
import LinuxIO
@testable import PhotoLibrary
import PhotoRule
import SQLiteDatabase
import SystemPackage
import TestSupport
import Testing

@Suite("Changes that concern every photo", .timeLimit(.minutes(1)))
struct BatchTests {
    enum Change: CaseIterable {
        case nearDuplicates, inbox, retry, remake
    }

    private static let photos = 1_200

    /// A Library of photos that all get another state by a change.
    private static func fill(_ folder: TemporaryFolder, before change: Change) async throws {
        let fixture = try LibraryFixture(in: folder)
        try await fixture.make(["leader": "leader"])
        let state: FileState =
            switch change {
            case .nearDuplicates, .inbox: .duplicate
            case .retry: .failed
            case .remake: .noSubject
            }
        try await fixture.library.database.write { database in
            try database.execute(
                sql: """
                    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(photos))
                        SELECT i FROM n;
                    INSERT INTO photo SELECT printf('%064x', i), 'jpeg', 40, 30, 5, '2026-01-01' FROM n;
                    INSERT INTO file (path, folder, pack, device, inode, size, modified, changed, arrival, state, photo,
                            stateSince)
                        SELECT i, '', '', 1, i, 5, 6, 7, 10 + i, '\(state.rawValue)', printf('%064x', i), '2026-01-01' FROM n;
                    INSERT INTO result (photo, recipe, outcome, confidence, finished)
                        SELECT photo, 'r', state, 0.1, stateSince FROM file WHERE state IN ('failed', 'noSubject');
                    UPDATE stay SET leader = iif('\(state.rawValue)' = 'duplicate', 'leader', NULL), decided = 'r'
                        WHERE photo <> 'leader';
                    DELETE FROM touched;
                    """)
        }
    }

    private static func make(_ change: Change, _ fixture: LibraryFixture) async throws {
        switch change {
        case .nearDuplicates: try await fixture.library.adopt(skipsNearDuplicates: false)
        case .inbox:
            let place = DirectoryIdentity(device: 1, inode: 2, fileSystem: .max)
            try await fixture.library.recordInbox(place, at: "/inbox", renumbered: [], isAnother: true)
        case .retry: _ = try Library.requestRetry(in: fixture.folder.path, of: nil)
        case .remake: _ = try Library.requestRemake(in: fixture.folder.path, otherThan: "new")
        }
    }

    /// How many photos are in the state that they had before the change.
    private static func undecided(_ library: Library) async throws -> Int {
        let counts = try await library.status().photos
        return [.duplicate, .failed, .noSubject].reduce(0) { $0 + counts[$1, default: 0] }
    }

    @Test(
        "They are decided in batches, between which others are decided at once; a crash in between loses none",
        arguments: Change.allCases)
    func batches(change: Change) async throws {
        let folder = TemporaryFolder()
        try await Self.fill(folder, before: change)
        var rest = Self.photos
        func requireBatch(_ library: Library) async throws {
            let now = try await Self.undecided(library)
            #expect(now < rest && now >= rest - Library.batch)
            rest = now
        }
        do {
            let fixture = try LibraryFixture(in: folder)
            #expect(try await Self.undecided(fixture.library) == rest)
            try await Self.make(change, fixture)
            try await requireBatch(fixture.library)
            #expect(rest > Library.batch)
            // The last one by its hash waits for its batch.
            let last = LibraryFixture.path("\(Self.photos)")
            if change != .inbox {
                try await fixture.library.forget([last])
                #expect(try await Self.undecided(fixture.library) == rest - 1)
                rest -= 1
            }
        }
        let library = try LibraryFixture(in: folder).library
        #expect(try await Self.undecided(library) == rest)
        while try await library.decideBatch() { try await requireBatch(library) }
        let counts = try await library.status().photos
        #expect(rest == 0)
        #expect(counts[.done] == (change == .remake ? 0 : 1))
        #expect(counts[.pending] == (change == .inbox ? 0 : change == .remake ? Self.photos : Self.photos - 1))
    }
}
