package import FileNames
import Foundation
import GRDB
import Glibc
package import LinuxIO
import PhotoRule
import SQLiteDatabase
package import SystemPackage

/// Requests to retry failed photos, and access to the Library from other processes.
extension PhotoLibrary {
    /// What a request does.
    package struct Answer: Sendable {
        /// Stickers that will be removed.
        package var stickers = 0
        /// Photos that will be processed again, or that have no sticker and will be removed.
        package var photos = 0
        /// What happens later, with a photo's return, or not at all; one line each.
        package var notes: [String] = []
        /// Names that were refused, with the reason; one line each.
        package var refused: [String] = []
        /// Photos that were moved out of the inbox and that the caller must put back: where they are, and their inbox
        /// paths.
        package var toPutBack: [(from: FilePath, path: InboxPath)] = []
    }

    /// Requeues photos that failed or have no subject, whether or not the daemon of this state folder is running. Their
    /// earlier attempts no longer count.
    ///
    /// - Parameter names: escaped paths in the inbox; nil for all that failed.
    /// - Throws: `LibraryError` if there is no Library that can be written.
    package static func requestRetry(in folder: FilePath, of names: [String]?) throws -> Answer {
        try writing(in: folder) { database in
            var answer = Answer()
            let failed = "SELECT path FROM file WHERE state = 'failed' ORDER BY arrival"
            for name in try names ?? String.fetchAll(database, sql: failed) {
                try retry(name, &answer, in: database)
            }
            try postponeTouched(in: database)
            return answer
        }
    }

    private static func retry(_ name: String, _ answer: inout Answer, in database: Database) throws {
        guard let file = try FileRecord.at(name, in: database) else {
            return answer.refused.append("\(name): unknown photo; give its path, or its path in the inbox")
        }
        guard file.state.canBeRetried else {
            return answer.refused.append(
                "\(name): its state is \(file.state.rawValue); only failed photos and photos without a subject can be retried"
            )
        }
        let original = try Original.of(file, in: database)
        if let original, original.outcome == .moved, let target = original.target {
            return answer.toPutBack.append((target, file.path))
        }
        // The move was completed but not recorded. Recording it here cancels it for a running daemon.
        if let original, original.finished == nil, let target = original.target,
            let status = try? FileStatus(of: target), original.hasContents(of: status)
        {
            try database.execute(
                sql: "UPDATE original SET finished = ?, outcome = ? WHERE file = ? AND arrival = ?",
                arguments: [Date(), Original.Outcome.moved, file.id, original.arrival])
            return answer.toPutBack.append((target, file.path))
        }
        try keepOriginal(of: file, in: database)
        if let photo = file.photo {
            try database.execute(
                sql: "UPDATE file SET failure = NULL, forbidden = 0, attempts = 0 WHERE id = ?", arguments: [file.id])
            try database.execute(
                sql: "UPDATE stay SET isRequested = 1, decided = NULL WHERE photo = ? AND pack = ?",
                arguments: [photo, file.pack])
        } else {
            try file.move(.retry, in: database)
        }
        answer.photos += 1
    }
}

// MARK: - Another process's Library

extension PhotoLibrary {
    /// Reads from the Library of a daemon that may be running.
    static func reading<Value>(in folder: FilePath, _ work: (Database) throws -> Value) throws -> Value {
        let file = try LibraryFolder.file(in: folder)
        do {
            let database = try DatabaseFile(file).openForReading()
            return try database.read { database in
                _ = try Schema.hasTables(database, in: folder)
                return try work(database)
            }
        } catch let error as DatabaseError {
            throw LibraryError.unreadable(folder, error)
        }
    }

    /// One transaction on the Library of a daemon that may be running.
    static func writing<Value>(in folder: FilePath, _ work: (Database) throws -> Value) throws -> Value {
        try connecting(to: folder) { queue in
            try queue.write { database in
                let value = try work(database)
                try decideTouched(in: database)
                return value
            }
        }
    }

    /// A connection to such a Library that may write.
    static func connecting<Value>(to folder: FilePath, _ work: (DatabaseQueue) throws -> Value) throws -> Value {
        let file = try LibraryFolder.file(in: folder, R_OK | W_OK)
        do {
            return try work(try connect(to: file.removingLastComponent()))
        } catch let error as DatabaseError {
            throw LibraryError.unreadable(folder, error)
        }
    }

    /// Records the daemon's process, for other processes to wake.
    package func recordProcess(_ process: ProcessIdentity) async throws {
        try await database.write { try Self.setMeta("process", "\(process)", in: $0) }
    }

    /// The daemon to wake after a request; nil if none owns the Library of this folder, or it is still starting.
    package static func daemon(of folder: FilePath) throws -> ProcessIdentity? {
        guard try isRunning(in: folder) else { return nil }
        return try reading(in: folder) { try meta("process", in: $0) }.flatMap { ProcessIdentity($0) }
    }
}
