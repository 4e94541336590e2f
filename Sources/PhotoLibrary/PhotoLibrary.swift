import Foundation
import GRDB
import LinuxIO
import Synchronization
package import SystemPackage

/// The memory of one daemon: which files were seen, what became of them, and which stickers there are.
///
/// One process at a time owns a Library (a lock beside the file says so, and falls with the process). Every method is
/// one transaction that is safe on disk (WAL, `synchronous=FULL`) when the call returns; when it throws, nothing was
/// changed. Calls run one after the other on SQLite's own queue and never block the cooperative pool.
///
/// What the disk refuses for a while is waited for, until `endPatience()` or until the task is cancelled
/// (`CancellationError`). What is wrong for good is thrown at once, as GRDB's `DatabaseError`.
package final class PhotoLibrary: Sendable {
    package static let fileName = "library.sqlite"
    static let lockName = "library.lock"

    package let folder: FilePath
    /// Where the Library of before was put, because it was damaged: this one is new, and knows nothing yet.
    package let setAside: FilePath?
    let database: PatientDatabase
    private let lock: FileLock
    /// Packs whose index has to be written anew, by pack name ('' is the root's).
    private let changed = Mutex<Set<ExactName>>([])
    /// Stickers go with their photos.
    let withdrawsRemoved = Atomic(false)

    /// Opens the Library in `folder`, which must exist, and makes or migrates it where needed.
    ///
    /// One that is damaged is put aside and replaced by a new one, which `setAside` tells.
    ///
    /// - Parameter outbox: the outbox's canonical path. A Library stays with the outbox it was made for.
    /// - Parameter progress: called from time to time while a large file is checked or migrated.
    /// - Throws: `LibraryError`, or GRDB's `DatabaseError` where SQLite itself fails.
    package init(in folder: FilePath, outbox: String, progress: @escaping @Sendable () -> Void = {}) throws {
        do {
            lock = try FileLock(at: folder.appending(Self.lockName))
        } catch Errno.wouldBlock {
            throw LibraryError(
                .inUse, "\(folder): another stickerd uses this state folder; stop it or choose another with --state")
        } catch {
            throw LibraryError(.unreadable, "\(folder): cannot lock the state folder (\(error))")
        }
        self.folder = folder
        let queue: DatabaseQueue
        (queue, setAside) = try Self.openOrReplace(in: folder, progress)
        database = PatientDatabase(queue: queue)
        // Whoever had it before is gone, and the number may be somebody else's by now.
        try queue.write { try $0.execute(sql: "DELETE FROM meta WHERE key = 'process'") }
        try bind(to: outbox, folder: folder)
    }

    /// Closes SQLite's file; calls after this one throw. The lock falls with the object.
    package func close() throws {
        // A file in WAL mode cannot be read by who may not write beside it, and the group may read `stickerd status`.
        // Where somebody is reading just now the mode stays, and nothing is lost by it.
        try? database.queue.writeWithoutTransaction { database in
            // It ends well: the next start need not look for damage.
            try database.execute(sql: "DELETE FROM meta WHERE key = 'process'")
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try database.queue.close()
    }

    static func configuration(readonly: Bool = false) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.journalMode = readonly ? .default : .wal
        // Another process reads while this one writes (`stickerd status`): wait a little instead of failing.
        configuration.busyMode = .timeout(5)
        return configuration
    }

    /// Opens the Library in `folder` for reading and writing, its tables made or migrated.
    static func connect(
        to folder: FilePath, progress: @escaping @Sendable () -> Void = {}
    ) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: folder.appending(fileName).string, configuration: configuration())
        // Not where GRDB prepares a connection: after that it sets NORMAL, as the last thing it does for WAL, and a power
        // cut would take back what was committed.
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try SQLiteProgress.reporting(progress, of: queue) { try Schema.prepare(queue, in: folder) }
        return queue
    }

    private func bind(to outbox: String, folder: FilePath) throws {
        try database.queue.write { database in
            let bound = try Self.meta("outbox", in: database)
            guard let bound else { return try Self.setMeta("outbox", outbox, in: database) }
            guard bound.isExactly(outbox) else {
                throw LibraryError(
                    .otherOutbox,
                    "\(folder): this Library belongs to the outbox \(bound), not to \(outbox); "
                        + "use that outbox, or give this one a state folder of its own with --state")
            }
        }
    }
}

// MARK: - Small facts

extension PhotoLibrary {
    static func meta(_ key: String, in database: Database) throws -> String? {
        try String.fetchOne(database, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
    }

    static func setMeta(_ key: String, _ value: String, in database: Database) throws {
        try database.execute(
            sql: "INSERT INTO meta VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
            arguments: [key, value])
    }

    /// Says whether the inbox is being read from end to end, for `stickerd status`.
    package func setScanning(_ scanning: Bool) async throws {
        try await database.write { try Self.setMeta("scanning", scanning ? "1" : "0", in: $0) }
    }
}

// MARK: - Packs with news

extension PhotoLibrary {
    func markChanged(_ packs: [String]) { markChanged(Set(packs.map { ExactName($0) })) }

    func markChanged(_ packs: Set<ExactName>) {
        changed.withLock { $0.formUnion(packs) }
    }

    /// The packs whose contents changed since the last call, which is forgotten hereby.
    package func takeChangedPacks() -> Set<ExactName> {
        changed.withLock { packs in
            defer { packs = [] }
            return packs
        }
    }

    /// For whoever took them and failed to do something about it.
    package func giveBack(changedPacks packs: Set<ExactName>) {
        markChanged(packs)
    }
}
