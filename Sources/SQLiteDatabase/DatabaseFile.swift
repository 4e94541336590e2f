import Foundation
package import GRDB
import LinuxIO
package import SystemPackage

/// The file of a SQLite database: how it is opened, checked for damage and put aside.
package struct DatabaseFile: Sendable {
    /// Of the database itself; SQLite's other files are beside it.
    package let path: FilePath

    package init(_ path: FilePath) { self.path = path }

    /// All files that SQLite opens if they exist. If the first is a symbolic link, the others are where it leads to.
    package var files: [FilePath] {
        ["", "-wal", "-shm", "-journal"].map { FilePath((path.resolved ?? path).string + $0) }
    }

    /// The bytes of a WAL that SQLite checkpoints on its own: 1000 pages.
    private static let maxIdleWAL = 4 << 20

    static func configuration(readonly: Bool = false) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.journalMode = readonly ? .default : .wal
        // Another process may be reading or writing (`stickerd status`, `retry`): wait instead of failing.
        configuration.busyMode = .timeout(5)
        return configuration
    }

    /// Opens it for reading and writing, so that commits survive a power failure; creates it if it is missing.
    ///
    /// - Throws: `Errno.invalidArgument` if one of `files` is no regular file.
    package func open() throws -> DatabaseQueue {
        try requireRegular()
        let queue = try DatabaseQueue(path: path.string, configuration: Self.configuration())
        // Not in GRDB's `prepareDatabase`: GRDB then sets NORMAL for WAL, and a power failure could undo commits.
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // After a long read, which keeps the WAL from being checkpointed, it is truncated to its usual size.
            try database.execute(sql: "PRAGMA journal_size_limit = \(Self.maxIdleWAL)")
        }
        return queue
    }

    /// The same while another process may be writing, and only for reading.
    package func openForReading() throws -> DatabaseQueue {
        try requireRegular()
        return try DatabaseQueue(path: path.string, configuration: Self.configuration(readonly: true))
    }

    /// SQLite would wait for the writer of a FIFO.
    private func requireRegular() throws(Errno) {
        for file in files where (try? file.stat().type).map({ $0 != .regular }) == true { throw .invalidArgument }
    }

    /// Creates the file if it is missing. Returns its inode's number, which identifies it: a copy has another.
    package func make() throws(Errno) -> UInt64 {
        // Photo names are private. SQLite gives its other files the same mode.
        let file = try OwnedDescriptor(
            opening: path, .readWrite, options: .create, permissions: [.ownerReadWrite, .groupRead])
        return try FileStatus(ofDescriptor: file.raw).identity.inode
    }

    /// Throws if the disk fails: SQLite reports a refused read as damage (EIO becomes SQLITE_CORRUPT).
    package func requireReadable(_ progress: () -> Void = {}) throws(Errno) {
        for file in files where OwnedDescriptor.exists(file) {
            let file = try RegularFile.open(file)
            _ = try ContentDigest.sha256(ofDescriptor: file.raw, limit: .max, progress: progress)
        }
    }

    private static let fileTime = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
    /// The most files put aside whose names have the same time.
    private static let maxNamesakes = 100

    /// Renames the file and SQLite's other files, so that they can be examined. Returns the new name, which no file
    /// has: the clock may have been set back, and two may be renamed in one second. Nil if all such names are taken.
    package func putAside(as kind: String) throws -> FilePath? {
        let endings = ["-wal", "-shm", ""]
        let name = "\(path.stem ?? "").\(kind)-\(Date.now.formatted(Self.fileTime))"
        for number in 1...Self.maxNamesakes {
            let aside = path.removingLastComponent().appending(
                number == 1 ? "\(name).sqlite" : "\(name)-\(number).sqlite")
            guard !endings.contains(where: { OwnedDescriptor.exists(FilePath(aside.string + $0)) }) else { continue }
            for ending in endings where OwnedDescriptor.exists(FilePath(path.string + ending)) {
                try FileManager.default.moveItem(atPath: path.string + ending, toPath: aside.string + ending)
            }
            return aside
        }
        return nil
    }
}

/// SQLite's checks of a whole file.
package enum SoundnessCheck: String, Sendable {
    /// Takes seconds for a million photos.
    case quick = "quick_check(1)"
    /// Also compares indexes with their tables.
    case full = "integrity_check(1)"
}

extension Database {
    /// Throws `SQLITE_CORRUPT`, with the finding as one line, if `check` finds damage.
    package func requireSoundness(by check: SoundnessCheck) throws {
        // The first line of a finding names only the schema.
        let found = try String.fetchOne(self, sql: "PRAGMA \(check.rawValue)")?.split(separator: "\n").last
        guard found == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: found.map(String.init))
        }
    }
}
