import Foundation
import GRDB
import LinuxIO
package import SystemPackage

/// Libraries that cannot be used, because they are damaged or an older release's: detected at the start, quarantined,
/// and rebuilt from the outbox.
extension PhotoLibrary {
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
        let aside = try putAside(folder.appending(fileName), as: isDamaged ? "damaged" : "older")
        // Its successor is new, and rebuilt from the outbox.
        return (
            try open(in: folder, outbox: outbox, isSuspect: false, progress),
            Quarantined(path: aside, isDamaged: isDamaged)
        )
    }

    private static let fileTime = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)

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
            let file = folder.appending(fileName).string
            let older = try DatabaseQueue(path: file, configuration: configuration(readonly: true))
            try older.read { try requireOutbox(outbox, for: folder, in: $0) }
            try older.close()
            throw error
        }
    }

    private static func open(
        in folder: FilePath, isSuspect: Bool, _ progress: @escaping @Sendable () -> Void
    ) throws -> DatabaseQueue {
        let inode = try inode(of: folder.appending(fileName))
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
            let check = isSuspect ? "integrity_check(1)" : "quick_check(1)"
            try queue.read { try requireSoundness(of: $0, by: check) }
        }
        return try markOpen(queue, inode)
    }

    /// Creates the file if it is missing. Returns its inode's number, which identifies it: a copy has another.
    private static func inode(of path: FilePath) throws(Errno) -> String {
        // Photo names are private. SQLite gives its other files the same mode.
        let file = try OwnedDescriptor(
            opening: path, .readWrite, options: .create, permissions: [.ownerReadWrite, .groupRead])
        return try "\(FileStatus(ofDescriptor: file.raw).identity.inode)"
    }

    /// Throws `SQLITE_CORRUPT`, with the finding as one line, if the pragma `check` finds damage.
    static func requireSoundness(of database: Database, by check: String) throws {
        // The first line of a finding names only the schema.
        let found = try String.fetchOne(database, sql: "PRAGMA \(check)")?.split(separator: "\n").last.map(String.init)
        guard found == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: found) }
    }

    private static func markOpen(_ queue: DatabaseQueue, _ inode: String) throws -> DatabaseQueue {
        try queue.write { database in
            // The last daemon is gone; its PID may be reused.
            try setMeta("process", nil, in: database)
            try setMeta(openKey, inode, in: database)
        }
        return queue
    }

    /// Records in `database` that its owner closes the Library: the next start need not check for damage.
    static func markClosed(in database: Database) throws {
        for key in [openKey, "process"] { try setMeta(key, nil, in: database) }
    }

    /// Throws if the disk fails: SQLite reports a refused read as damage (EIO becomes SQLITE_CORRUPT), and a Library
    /// must not be quarantined for that.
    private static func requireReadable(in folder: FilePath, _ progress: () -> Void = {}) throws {
        do throws(Errno) {
            for ending in ["", "-wal"] {
                let path = FilePath(folder.appending(fileName).string + ending)
                guard OwnedDescriptor.exists(path) else { continue }
                let file = try OwnedDescriptor(opening: path)
                _ = try ContentDigest.sha256(ofDescriptor: file.raw, limit: .max, progress: progress)
            }
        } catch {
            throw LibraryError(.unreadable, "\(folder): the Library cannot be read (\(error))")
        }
    }

    /// The most quarantined Libraries whose names have the same time.
    private static let maxNamesakes = 100

    /// Renames the Library and SQLite's other files, so that they can be examined. Returns the new name, which no file
    /// has: the clock may have been set back, and two may be renamed in one second.
    private static func putAside(_ path: FilePath, as kind: String) throws -> FilePath {
        let endings = ["-wal", "-shm", ""]
        let name = "library.\(kind)-\(Date.now.formatted(fileTime))"
        for number in 1...maxNamesakes {
            let aside = path.removingLastComponent().appending(
                number == 1 ? "\(name).sqlite" : "\(name)-\(number).sqlite")
            guard !endings.contains(where: { OwnedDescriptor.exists(FilePath(aside.string + $0)) }) else { continue }
            for ending in endings where OwnedDescriptor.exists(FilePath(path.string + ending)) {
                try FileManager.default.moveItem(atPath: path.string + ending, toPath: aside.string + ending)
            }
            return aside
        }
        throw LibraryError(.unreadable, "\(path): remove old files library.\(kind)-*, whose names are all taken")
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
