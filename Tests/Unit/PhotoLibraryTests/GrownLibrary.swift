import GRDB
@testable import PhotoLibrary
import SQLiteDatabase
import Synchronization
import SystemPackage
import TestSupport

/// A Library of thousands of files of one pack, written with plain SQL: 100 folders of 20 files, and one of the rest.
enum GrownLibrary {
    static func make(_ files: Int, in folder: TemporaryFolder) throws {
        try LibraryFixture(in: folder).library.close()
        let database = try DatabaseQueue(path: folder["library/library.sqlite"].string)
        defer { try? database.close() }
        try database.write { database in
            try database.execute(
                sql: """
                    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(files))
                        SELECT i FROM n;
                    INSERT INTO recipe VALUES ('r', '{}', '2026-01-01 00:00:00.000');
                    INSERT INTO pack (name, folder, folded, revision) VALUES ('P', 'P', 'p', 1);
                    INSERT INTO photo SELECT printf('%064x', i), 'jpeg', 40, 30, 5, '2026-01-01 00:00:00.000' FROM n;
                    -- Every tenth waits, a few failed or have no subject, the others are done, half of them archived.
                    INSERT INTO file (path, folder, pack, device, inode, size, modified, changed, arrival, state, photo,
                            stateSince)
                        SELECT printf('P/%d/%d.jpg', min(i / 20, 100), i), printf('P/%d', min(i / 20, 100)), 'P', 1, i, 5, 6, 7, i,
                            CASE WHEN i % 10 = 0 THEN 'pending' WHEN i IN (1, 1001) THEN 'failed'
                                WHEN i IN (2, 1002) THEN 'noSubject' ELSE 'done' END,
                            iif(i % 10 = 0, NULL, printf('%064x', i)), '2026-01-01 00:00:01.000' FROM n;
                    INSERT INTO attempt (file, started, finished, outcome)
                        SELECT id, stateSince, stateSince, state FROM file WHERE state <> 'pending';
                    INSERT INTO result (photo, recipe, outcome, stickers, confidence, finished)
                        SELECT photo, 'r', state, state = 'done', 0.9, stateSince FROM file WHERE photo IS NOT NULL;
                    INSERT INTO sticker (pack, photo, ordinal, source, recipe, arrival, file, width, height, bytes, sha256,
                            confidence, added, published, listed, thumbnail)
                        SELECT 'P', photo, 0, id, 'r', arrival, id || '.png', 40, 30, 9, 's', 0.9, stateSince, 1, 1, id || '.webp'
                        FROM file WHERE state = 'done';
                    INSERT INTO palette (pack, photo, stem) SELECT pack, photo, id FROM file WHERE state = 'done';
                    INSERT INTO original (file, arrival, path, device, inode, size, modified, action, decided)
                        SELECT id, arrival, path, 1, inode, 5, 6, 'archive', stateSince FROM file
                        WHERE state = 'done' AND id % 2 = 1;
                    UPDATE original SET finished = decided, outcome = 'moved';
                    UPDATE file SET attempts = 1 WHERE id IN
                        (SELECT id FROM file WHERE state = 'pending' ORDER BY id DESC LIMIT 3);
                    INSERT OR REPLACE INTO stay (photo, pack, since, decided) SELECT photo, pack, since, 'r' FROM file
                        WHERE photo IS NOT NULL;
                    DELETE FROM touched;
                    """)
        }
    }
}

extension Library {
    /// How many instructions of SQLite's virtual machine `body` takes: a few for each row that it reads or writes.
    func instructions(_ body: () async throws -> Void) async throws -> Int {
        let count = Atomic(0)
        let progress = SQLiteProgress { count.add(1, ordering: .relaxed) }
        progress.attach(to: database.queue, every: 1)
        defer { progress.detach(from: database.queue) }
        try await body()
        return count.load(ordering: .relaxed)
    }

    /// How many transactions `body` commits.
    func commits(_ body: () async throws -> Void) async throws -> Int {
        let count = Atomic(0)
        try await database.queue.writeWithoutTransaction {
            $0.trace(options: .statement) { if "\($0)".hasPrefix("COMMIT") { count.add(1, ordering: .relaxed) } }
        }
        try await body()
        try await database.queue.writeWithoutTransaction { $0.trace(options: .statement, nil) }
        return count.load(ordering: .relaxed)
    }
}
