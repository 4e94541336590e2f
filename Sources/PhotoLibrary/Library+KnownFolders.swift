package import FileNames
import GRDB
import GRDBSQLite
package import LinuxIO
import SQLiteDatabase

/// What rescans compare with.
extension Library {
    /// The most rows read in one transaction, so that other calls wait for some milliseconds at most.
    private static let rowsAtOnce = 5_000

    /// The files known directly in one folder (nil: the inbox's root), in any state. Excludes files that have left the
    /// inbox.
    package func knownFolder(_ folder: InboxPath?) async throws -> KnownFolder {
        let text = folder?.description ?? ""
        var entries: [KnownFolder.Entry] = []
        let (count, forbidden) = try await database.read { database in
            let count = try Int.fetchOne(
                database, cached: "SELECT count(*) FROM file WHERE folder = ? AND leftAt IS NULL", arguments: [text])
            let forbidden = try Row.fetchAll(
                database, cached: "SELECT path FROM file INDEXED BY fileForbidden WHERE folder = ? AND forbidden",
                arguments: [text])
            return (count ?? 0, Set(forbidden.map { $0["path"] as InboxPath }))
        }
        entries.reserveCapacity(count)
        var part: [KnownFolder.Entry] = []
        repeat {
            let last = part.last?.file ?? .min
            part = try await database.read { database in
                try KnownRow.fetchAll(
                    database,
                    cached: """
                        SELECT id, path, device, inode, size, modified, changed FROM file
                        WHERE folder = ? AND leftAt IS NULL AND id > ? ORDER BY id LIMIT ?
                        """, arguments: [text, last, Self.rowsAtOnce]
                ).map(\.entry)
            }
            entries += part
        } while part.count == Self.rowsAtOnce
        return KnownFolder(consume entries, forbidden: forbidden)
    }

    /// The same with paths and identities.
    package func known(inFolder folder: InboxPath?) async throws -> [InboxPath: FileIdentity] {
        try await known(
            "SELECT path, device, inode, size, modified, changed FROM file WHERE folder = ? AND leftAt IS NULL",
            [folder?.description ?? ""])
    }

    /// The same of files given by the Library's keys.
    package func known(_ files: some Sequence<Int64> & Sendable) async throws -> [InboxPath: FileIdentity] {
        let keys = "[" + files.map { "\($0)" }.joined(separator: ",") + "]"
        return try await known(
            """
            SELECT path, device, inode, size, modified, changed FROM file
            WHERE id IN (SELECT value FROM json_each(?)) AND leftAt IS NULL
            """, [keys])
    }

    /// The same of up to `limit` files that should be in the inbox, latest first.
    package func knownFiles(limit: Int) async throws -> [InboxPath: FileIdentity] {
        try await known(
            """
            SELECT path, device, inode, size, modified, changed FROM file
            WHERE state <> 'ignored' AND leftAt IS NULL ORDER BY arrival DESC LIMIT ?
            """, [limit])
    }

    private func known(_ sql: String, _ arguments: StatementArguments) async throws -> [InboxPath: FileIdentity] {
        try await database.read { database in
            var known: [InboxPath: FileIdentity] = [:]
            let files = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
            while let file = try files.next() { known[file["path"]] = FileIdentity(file) }
            return known
        }
    }
}

/// A row of `file`, digested as SQLite returns it: a rescan reads all of them, and making values of each column would
/// take most of its time.
private struct KnownRow: DatabaseValueConvertible, StatementColumnConvertible {
    let entry: KnownFolder.Entry

    /// Reads all columns of the row: key, path, device, inode, size, times.
    init?(sqliteStatement statement: SQLiteStatement, index: CInt) {
        func number(_ column: CInt) -> Int64 { unsafe sqlite3_column_int64(statement, column) }
        guard let text = unsafe sqlite3_column_text(statement, 1) else { return nil }
        // Valid until the next step of the statement.
        let path = unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, 1))).span
        entry = KnownFolder.Entry(
            name: Self.digest(ofNameIn: path),
            identity: KnownFolder.digest(
                of: FileIdentity(
                    storedDevice: number(2), inode: number(3), size: number(4), modified: number(5),
                    changed: number(6))),
            file: number(0))
    }

    /// Escaped text without a backslash is the bytes themselves.
    private static func digest(ofNameIn path: Span<UInt8>) -> UInt64 {
        var start = 0
        var isEscaped = false
        for index in path.indices {
            if path[index] == UInt8(ascii: "/") { start = index + 1 }
            if path[index] == UInt8(ascii: "\\") { isEscaped = true }
        }
        let name = path.extracting(start..<path.count)
        guard isEscaped else { return KnownFolder.digest(ofName: name) }
        var bytes: [UInt8] = []
        for index in name.indices { bytes.append(name[index]) }
        let unescaped = InboxPath(escaped: String(decoding: bytes, as: UTF8.self))?.bytes ?? bytes
        return KnownFolder.digest(ofName: unescaped.span)
    }

    // Not stored.
    var databaseValue: DatabaseValue { .null }

    static func fromDatabaseValue(_ value: DatabaseValue) -> KnownRow? { nil }
}
