package import FileNames
import Foundation
import GRDB
import PhotoRule
import SQLiteDatabase

/// Photos that crash a worker or the daemon, and their recovery at the next start.
extension Library {
    /// How often a worker or the daemon may crash while a photo is in progress before it fails.
    package static let maxCrashes = 3

    /// The reason of a photo that was in progress each time.
    package static let crashReason =
        "stickerd stopped unexpectedly \(maxCrashes) times while this photo was in progress"

    /// Returns a photo that crashed its worker to its place in the queue, to be retried alone. After the last try it
    /// changes nothing, and the caller fails the photo. `reason` is one line for a person.
    ///
    /// - Returns: whether the photo is retried.
    package func suspect(_ claim: Claim, because reason: String) async throws -> Bool {
        guard claim.attempts < Self.maxCrashes else { return false }
        try await database.write { database in
            try FileRecord.inProgress(claim, in: database)?.move(.interrupt, in: database)
            try Self.endAttempt(of: claim, outcome: "stopped its worker", reason, in: database)
        }
        return true
    }

    /// Returns the files that were in progress when the last daemon ended to their places, to be retried alone, until
    /// the one that caused it has failed after `maxCrashes` such ends. After a requested stop, none becomes a suspect.
    ///
    /// - Returns: the files that failed.
    package func recover() async throws -> [InboxPath] {
        try await database.write { database in
            // This may be a backup, and a later Library have had their photos removed: if these are gone, that is no
            // reason to withdraw their stickers.
            try database.execute(
                sql: """
                    UPDATE original SET begun = 1 WHERE finished IS NULL AND action = 'remove' AND EXISTS (
                        SELECT 1 FROM file JOIN sticker ON sticker.photo = file.photo AND sticker.pack = file.pack
                        WHERE file.id = original.file AND file.arrival = original.arrival)
                    """)
            if try Self.meta(Self.stopKey, in: database) != nil {
                try Self.setMeta(Self.stopKey, nil, in: database)
                try Self.releaseAll(in: database)
                return []
            }
            let files = try FileRecord.inProgress(in: database)
            try database.execute(
                sql: """
                    UPDATE attempt SET finished = ?, outcome = 'stickerd ended', detail = ? WHERE finished IS NULL
                    """,
                arguments: [
                    Date(), files.count == 1 ? "the only photo in progress" : "one of several photos in progress",
                ])
            let failed = files.filter { $0.attempts >= Self.maxCrashes }
            try files.filter { $0.attempts < Self.maxCrashes }.move(.interrupt, in: database)
            for file in failed { try self.fail(file, because: Self.crashReason, in: database) }
            return failed.map(\.path)
        }
    }

    /// Records that the daemon was asked to stop. If systemd kills it before its photos are finished (TimeoutStopSec),
    /// the next start makes no suspects.
    package func recordStop() async throws {
        try await database.write { try Self.setMeta(Self.stopKey, "1", in: $0) }
    }

    private static let stopKey = "stopRequested"
}
