import Foundation
import GRDB

/// Who is next.
extension PhotoLibrary {
    /// Takes the next `limit` files in order of arrival out of the queue. The attempt is on disk before this returns,
    /// so that a photo that takes the process down with it is known afterwards.
    ///
    /// A suspect comes alone: where it is its turn, and something is in hand, nothing is taken.
    ///
    /// - Parameters:
    ///   - packs: whose files stay where they are.
    ///   - files: that stay where they are, by the Library's keys.
    ///   - isIdle: nothing is in hand.
    package func claim(
        limit: Int, exceptPacks packs: Set<ExactName> = [], exceptFiles files: Set<Int64> = [], isIdle: Bool = true
    ) async throws -> [Claim] {
        let excepted: StatementArguments = [
            "packs": String(decoding: try JSONEncoder().encode(packs.sorted().map(\.text)), as: UTF8.self),
            "files": String(decoding: try JSONEncoder().encode(files.sorted()), as: UTF8.self),
        ]
        return try await database.write { database in
            // CROSS JOIN fixes the join order: there are few suspects, and may be many waiting files.
            let suspect = try Row.fetchOne(
                database,
                sql: """
                    SELECT id, turn FROM suspect CROSS JOIN file ON id = file AND file.arrival = suspect.arrival
                    WHERE state = 'pending' AND \(Self.isAdmitted) ORDER BY turn, suspect.arrival LIMIT 1
                    """, arguments: excepted)
            var others = excepted
            _ = others.append(contentsOf: ["turn": (suspect?["turn"] as Int64?) ?? Int64.max, "limit": limit])
            let files = try Int64.fetchAll(
                database,
                sql: """
                    SELECT id FROM file WHERE state = 'pending' AND \(Self.isAdmitted) AND arrival <= :turn
                        AND NOT EXISTS (SELECT 1 FROM suspect WHERE file = id AND arrival = file.arrival)
                    ORDER BY arrival LIMIT :limit
                    """, arguments: others)
            if !files.isEmpty { return try files.map { try Self.take($0, isSuspect: false, in: database) } }
            guard isIdle, let suspect else { return [] }
            return [try Self.take(suspect["id"], isSuspect: true, in: database)]
        }.compactMap(\.self)
    }

    private static let isAdmitted = """
        pack NOT IN (SELECT value FROM json_each(:packs)) AND id NOT IN (SELECT value FROM json_each(:files))
        """

    /// nil where the path cannot be read, which nothing ever writes.
    private static func take(_ file: Int64, isSuspect: Bool, in database: Database) throws -> Claim? {
        try beginAttempt(of: file, in: database)
        let row = try Row.fetchOne(
            database,
            sql: """
                UPDATE file SET state = 'processing', attempts = attempts + 1, stateSince = ? WHERE id = ?
                RETURNING id, path, device, inode, size, modified, changed, arrival, attempts
                """, arguments: [Date(), file])
        guard let row, let path = InboxPath(escaped: row["path"]) else { return nil }
        return Claim(
            file: row["id"], path: path, identity: identity(row), arrival: row["arrival"], attempts: row["attempts"],
            isSuspect: isSuspect)
    }
}
