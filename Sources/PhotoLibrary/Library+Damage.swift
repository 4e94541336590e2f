import GRDB
import SQLiteDatabase
package import SystemPackage

/// Libraries that cannot be used, because they are damaged or an older release's: detected at the start, quarantined,
/// and rebuilt from the outbox.
extension Library {
    /// A Library that another one replaced.
    package struct Quarantined: Sendable {
        /// Its file now.
        package let path: FilePath
        /// Otherwise an older release wrote it.
        package let isDamaged: Bool
    }

    /// Opens the Library, or quarantines one that cannot be used and makes a new one. If its last owner did not close
    /// it, or if `isSuspect`, the whole file is checked first, which takes seconds for a million photos.
    static func openOrReplace(
        in folder: FilePath, outbox: String, isSuspect: Bool, _ progress: @escaping @Sendable () -> Void
    ) throws -> (DatabaseQueue, Quarantined?) {
        var isDamaged = true
        for _ in 0..<2 where isDamaged {
            do {
                return (try open(in: folder, outbox: outbox, isSuspect: isSuspect, progress), nil)
            } catch let error as DatabaseError where error.isDamage {
                try requireReadable(in: folder)
            } catch let error as LibraryError where error.code == .older {
                isDamaged = false
            }
        }
        let (file, kind) = (file(in: folder), isDamaged ? "damaged" : "older")
        guard let aside = try file.putAside(as: kind) else {
            throw LibraryError(
                .unreadable, "\(file.path): remove old files library.\(kind)-*, whose names are all taken")
        }
        // Its successor is new, and rebuilt from the outbox.
        return (
            try open(in: folder, outbox: outbox, isSuspect: false, progress),
            Quarantined(path: aside, isDamaged: isDamaged)
        )
    }

    /// The key in `meta` of the mark that an owner sets when it opens the Library, and removes when it closes it: the
    /// number of the file's inode.
    private static let openKey = "open"

    /// - Throws: `LibraryError` with the code `older` only if the outbox has what the Library is rebuilt from.
    private static func open(
        in folder: FilePath, outbox: String, isSuspect: Bool, _ progress: @escaping @Sendable () -> Void
    ) throws -> DatabaseQueue {
        do {
            return try open(in: folder, isSuspect: isSuspect, progress)
        } catch let error as LibraryError where error.code == .older {
            let older = try file(in: folder).openForReading()
            try older.read { try requireOutbox(outbox, for: folder, in: $0) }
            try older.close()
            throw error
        }
    }

    private static func open(
        in folder: FilePath, isSuspect: Bool, _ progress: @escaping @Sendable () -> Void
    ) throws -> DatabaseQueue {
        let inode = "\(try file(in: folder).make())"
        // What `verify` found with the slower check is damage here, too.
        var isSuspect = isSuspect
        if !isSuspect {
            let queue = try connect(to: folder, progress: progress)
            guard let mark = try queue.read({ try meta(openKey, in: $0) }) else {
                return try markOpen(queue, inode)
            }
            // A copy of an open Library may mix two of its states, which only the slower check finds.
            isSuspect = mark != inode
            try queue.close()
        }
        // The check reports no progress while it walks a table (SQLite 3.40). Reading the files first does, and fills
        // the page cache for the check. SQLite must not have them open: closing any descriptor of a file drops all of
        // this process's locks on it (sqlite.org/howtocorrupt.html, 2.2).
        try requireReadable(in: folder, progress)
        let queue = try connect(to: folder, progress: progress)
        try SQLiteProgress.reporting(progress, of: queue) {
            try queue.read { [isSuspect] in try $0.requireSoundness(by: isSuspect ? .full : .quick) }
        }
        return try markOpen(queue, inode)
    }

    private static func markOpen(_ queue: DatabaseQueue, _ inode: String) throws -> DatabaseQueue {
        try queue.write { try setMeta(openKey, inode, in: $0) }
        return queue
    }

    /// Records in `database` that its owner closes the Library: the next start need not check for damage.
    static func markClosed(in database: Database) throws { try setMeta(openKey, nil, in: database) }

    /// Throws `SQLITE_IOERR` if the disk fails: a Library must not be quarantined, nor called damaged, for that.
    static func requireReadable(in folder: FilePath, _ progress: () -> Void = {}) throws(DatabaseError) {
        do throws(Errno) {
            try file(in: folder).requireReadable(progress)
        } catch {
            throw DatabaseError(resultCode: .SQLITE_IOERR, message: "\(error)")
        }
    }

    /// The key in `meta` of the mark of a new Library.
    static let rebuildKey = "rebuild"

    /// Whether this Library is new, for example because a damaged one was quarantined, and lacks what the outbox shows.
    package func needsRebuilding() async throws -> Bool {
        try await database.read { try Self.meta(Self.rebuildKey, in: $0) != nil }
    }

    package func endRebuilding() async throws {
        try await database.write { try Self.setMeta(Self.rebuildKey, nil, in: $0) }
    }
}
