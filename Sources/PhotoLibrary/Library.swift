package import FileNames
package import GRDB
package import LinuxIO
import PhotoLikeness
package import SQLiteDatabase
import Synchronization
package import SystemPackage

/// The daemon's database: files, results, stickers.
///
/// One process at a time owns a Library, by a file lock beside it that ends with the process. Every method is one
/// transaction, durable on disk (WAL, `synchronous=FULL`) when the call returns; if it throws, nothing has changed.
/// Calls run one after the other on SQLite's own queue and never block the cooperative pool. While the Library
/// `isBusy`, those about claimed files gather for a shared commit.
///
/// Transient disk errors are retried until `endPatience()` or until the task is cancelled (`CancellationError`).
/// Permanent errors are thrown at once, as GRDB's `DatabaseError`.
package final class Library: Sendable {
    package static let fileName = "library.sqlite"
    static let lockName = "library.lock"

    /// The state folder. The Library's files are in `LibraryFolder.path`.
    package let folder: FilePath
    /// The Library that this one replaced at the start, if it did; this one was then empty.
    package let quarantined: Quarantined?
    /// Every write decides the photos that it touches in the same transaction, and collects the packs that it changes.
    package let database: PatientDatabase
    private let changedPacks = ChangedPacks()
    private let lock: FileLock
    /// The file that is open.
    private let node: FileNode?
    /// Whether stickers are withdrawn with their photos.
    let withdrawsRemoved = Atomic(false)
    /// Whether photos follow each other so closely that the records of their work share commits, which takes each photo
    /// a moment longer.
    package var isBusy: Bool {
        get { gathers.load(ordering: .relaxed) }
        set { gathers.store(newValue, ordering: .relaxed) }
    }
    private let gathers = Atomic(false)
    /// What happened to files, for the log.
    package let fileNews = FileNewsList()
    /// The rows of `likeness` read so far. Locked only inside reads.
    let likenesses = Mutex(PerceptualHashList())
    /// How often others have changed a sticker's file since the start.
    let changes = Mutex<[ExactName: Int]>([:])

    /// Opens the Library of the state folder `folder`, which must exist; creates it if necessary.
    ///
    /// One that is damaged or an older release's is quarantined (see `quarantined`) and replaced by a new one.
    ///
    /// - Parameters:
    ///   - outbox: the outbox's canonical path. A Library is bound to one outbox.
    ///   - isSuspect: whether to check for damage even if its last owner closed it.
    ///   - clock: for the time between two tries after a disk error.
    ///   - progress: called repeatedly while a large file is checked.
    /// - Throws: `LibraryError`.
    package init(
        in folder: FilePath, outbox: String, isSuspect: Bool = false, clock: any MonotonicClock = ContinuousClock(),
        progress: @escaping @Sendable () -> Void = {}
    ) throws {
        let queue: DatabaseQueue
        do {
            let own = try LibraryFolder.make(in: folder)
            lock = try FileLock(at: own.appending(Self.lockName))
            (queue, quarantined) = try Self.openOrReplace(in: own, outbox: outbox, isSuspect: isSuspect, progress)
            node = FileNode(of: own.appending(Self.fileName))
            try Self.bind(queue, to: outbox, folder: folder)
        } catch Errno.wouldBlock {
            throw LibraryError.inUse(folder)
        } catch {
            throw LibraryError.explaining(error, of: folder)
        }
        self.folder = folder
        database = PatientDatabase(queue: queue, clock: clock) { [changedPacks] database in
            try Self.decideTouched(in: database)
            let packs = try Self.takeChangedPacks(in: database)
            return { changedPacks.add(packs) }
        }
    }

    /// Closes the database; later calls throw. The lock ends with the object.
    package func close() throws {
        // Then one file has everything, for whoever copies it. If another process is reading now, the mode stays WAL,
        // which does no harm.
        try? database.queue.writeWithoutTransaction { database in
            try Self.markClosed(in: database)
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try database.queue.close()
    }

    /// An error that ended the owner of the Library of the state folder `folder`, for its user: SQLite's with the
    /// folder and the cure; others stay as they are.
    package static func explaining(_ error: any Error, of folder: FilePath) -> any Error {
        error is DatabaseError ? LibraryError.explaining(error, of: folder) : error
    }

    /// Checks that what is written here is what others, and the next start, find in the state folder.
    ///
    /// - Throws: `LibraryError` if the open file was removed, or another one has its name.
    package func requirePlace() throws(LibraryError) {
        let file = LibraryFolder.path(in: folder).appending(Self.fileName)
        guard FileNode(of: file).map({ $0 != node }) ?? LibraryFolder.isMissing(file) else { return }
        throw .replaced(folder)
    }

    /// Replaces the status text in the lock's file, for other processes. Does not use SQLite, so it works even if the
    /// disk is full; blocks while the disk does.
    ///
    /// - Parameter lockText: at most `FileLock.maxTextBytes`.
    package func write(lockText: [UInt8]) throws(Errno) { try lock.write(text: lockText) }

    /// The text of the process that owns the Library of the state folder `folder`, untrusted; nil if none does.
    ///
    /// - Throws: `LibraryError` if this user may not look.
    package static func lockText(in folder: FilePath) throws -> [UInt8]? {
        do throws(Errno) {
            return try FileLock.text(at: lock(of: folder))
        } catch {
            throw error == .permissionDenied ? LibraryError.denied(folder) : LibraryError.unusable(folder, error)
        }
    }

    /// Whether a daemon is running on the Library of the state folder `folder`.
    ///
    /// - Throws: as `lockText`.
    package static func isRunning(in folder: FilePath) throws -> Bool { try lockText(in: folder) != nil }

    private static func lock(of folder: FilePath) -> FilePath {
        LibraryFolder.path(in: folder).appending(lockName)
    }

    /// The Library's file in its own folder.
    static func file(in folder: FilePath) -> DatabaseFile { DatabaseFile(folder.appending(fileName)) }

    /// Opens the Library in its own folder for reading and writing, and creates its tables.
    static func connect(to folder: FilePath, progress: @escaping @Sendable () -> Void = {}) throws -> DatabaseQueue {
        let queue = try file(in: folder).open()
        try SQLiteProgress.reporting(progress, of: queue) { try Schema.prepare(queue, in: folder) }
        return queue
    }

    /// Binds the Library to its outbox. One that was moved with its files is the same outbox.
    private static func bind(_ queue: DatabaseQueue, to outbox: String, folder: FilePath) throws {
        try queue.write { database in
            if let bound = try meta("outbox", in: database), !bound.isExactly(outbox) {
                try requireOutbox(outbox, for: folder, in: database)
            }
            try setMeta("outbox", outbox, in: database)
        }
    }
}

// MARK: - Metadata

extension Library {
    /// The value of a key in the table `meta`.
    package static func meta(_ key: String, in database: Database) throws -> String? {
        try String.fetchOne(database, cached: "SELECT value FROM meta WHERE key = ?", arguments: [key])
    }

    /// - Parameter value: nil to remove the key.
    package static func setMeta(_ key: String, _ value: String?, in database: Database) throws {
        guard let value else { return try database.execute(cached: "DELETE FROM meta WHERE key = ?", arguments: [key]) }
        try database.execute(
            cached: "INSERT INTO meta VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
            arguments: [key, value])
    }
}

extension Library {
    /// One transaction about a claimed file, on disk when the call returns; see `isBusy`.
    func writeOnClaim<Value: Sendable>(
        _ updates: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await database.write(gathering: isBusy, updates)
    }
}

// MARK: - The disk

extension Library {
    /// - Parameter report: called with the cause when the Library becomes unavailable, and with nil when it is
    ///   available again; must not block.
    package func watchDisk(_ report: @escaping @Sendable (String?) -> Void) {
        database.watch { [folder] cause in report(cause.map { "\(folder): the Library cannot be used (\($0))" }) }
    }

    /// Makes later transient disk errors throw, because the process is ending.
    package func endPatience() { database.endPatience() }
}

// MARK: - Changed packs

/// Packs whose index must be rewritten ('' is the root pack), until someone takes them.
private final class ChangedPacks: Sendable {
    private let packs = Mutex<Set<ExactName>>([])

    var isEmpty: Bool { packs.withLock(\.isEmpty) }

    func add(_ more: Set<ExactName>) {
        if !more.isEmpty { packs.withLock { $0.formUnion(more) } }
    }

    func take() -> Set<ExactName> {
        packs.withLock { packs in
            defer { packs = [] }
            return packs
        }
    }
}

extension Library {
    /// Returns the packs that this transaction has changed, and those that other processes have changed since the last
    /// one.
    private static func takeChangedPacks(in database: Database) throws -> Set<ExactName> {
        Set(try String.fetchAll(database, cached: "DELETE FROM changedPack RETURNING pack").map { ExactName($0) })
    }

    /// Returns the packs whose contents changed since the last call.
    package func takeChangedPacks() -> Set<ExactName> { changedPacks.take() }

    /// Whether a call of `takeChangedPacks` would return any.
    package var hasChangedPacks: Bool { !changedPacks.isEmpty }

    /// Marks packs as changed again, after a failure to write them.
    package func giveBack(changedPacks packs: Set<ExactName>) { changedPacks.add(packs) }
}
