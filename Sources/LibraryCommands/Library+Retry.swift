import Foundation
import GRDB
import LinuxIO
package import PhotoLibrary
import PhotoRule
package import SystemPackage

/// Requests to retry failed photos.
extension Library {
    /// Requeues photos that failed or have no subject, whether or not the daemon of this state folder is running. Their
    /// earlier attempts no longer count.
    ///
    /// - Parameter names: as for `FileRecord.named`; nil for all that failed.
    /// - Throws: `LibraryError` if there is no Library that can be written.
    package static func requestRetry(in folder: FilePath, of names: [String]?) throws -> Answer {
        try writing(in: folder) { database in
            var answer = Answer()
            for name in names ?? [] {
                if let file = try FileRecord.named(name, in: database) {
                    try retry(file, as: name, &answer, in: database)
                } else {
                    answer.refused.append("\(name): unknown photo; give its path, or its path in the inbox")
                }
            }
            if names == nil {
                let failed = try FileRecord.fetchAll(
                    database, sql: "SELECT * FROM file WHERE state = 'failed' ORDER BY arrival")
                for file in failed { try retry(file, as: "\(file.path)", &answer, in: database) }
            }
            try postponeTouched(in: database)
            return answer
        }
    }

    private static func retry(
        _ file: FileRecord, as name: String, _ answer: inout Answer, in database: Database
    ) throws {
        let original = try Original.of(file, in: database)
        // A copy of it may have got a sticker since it was moved to the folder of failed photos.
        let isAside = original?.action == .moveToFailed && original?.outcome == .moved
        guard file.state.canBeRetried || isAside && (file.state == .done || file.state == .duplicate) else {
            return answer.refused.append(
                "\(name): its state is \(file.state.rawValue); only failed photos and photos without a subject can be retried"
            )
        }
        if let original, original.outcome == .moved, let target = original.destination {
            return answer.toPutBack.append((target, file.path))
        }
        // The move was completed but not recorded. Recording it here cancels it for a running daemon.
        if let original, original.finished == nil, original.isAtTarget, let target = original.destination {
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
