package import FileNames
package import Foundation
package import GRDB
package import LinuxIO
package import PhotoRule
import SQLiteDatabase

/// A row of `file`.
///
/// Only this file's functions write a file's state: `decide` those of files whose photo is known (`Decision`), `move`
/// those of a claim and of files without a photo, checked against `FileTransition`. The record is not persistable, so
/// no other code can save one.
package struct FileRecord: Decodable, FetchableRecord, Sendable {
    /// The Library's key.
    package let id: Int64
    package let path: InboxPath
    /// The pack's name: '' for the root pack.
    package let pack: String
    // As stored: see `identity`.
    private let device: Int64
    private let inode: Int64
    private let size: Int64
    private let modified: Int64
    private let changed: Int64
    /// The file's place in the order of arrival. Together with `id`, it identifies these contents of the file.
    package let arrival: Int64
    /// Where it is.
    let presence: KnownPhoto.File.Presence
    package private(set) var state: FileState
    /// One line for a person, if `state` needs an explanation.
    package private(set) var reason: String?
    /// Why the last try to read it failed, if that was not its photo's fault.
    let failure: String?
    /// SHA-256 of the photo, once it has been read.
    package let photo: String?
    /// Unfinished attempts.
    package private(set) var attempts: Int
    /// When it entered `state`.
    package private(set) var stateSince: Date
    /// When the photo came into its pack under this name.
    let since: Date?
    /// When these contents arrived.
    package let seen: Date?

    /// As last recorded.
    package var identity: FileIdentity {
        FileIdentity(storedDevice: device, inode: inode, size: size, modified: modified, changed: changed)
    }

    /// Whether it left the inbox other than by stickerd, or was in a former inbox.
    package var isElsewhere: Bool { presence == .left || presence == .unknown }

    /// Whether it is in the inbox, as far as is known.
    package var isInInbox: Bool { presence == .here || presence == .unread }

    /// Whether stickerd has moved or removed this file, or may have, and its path now has another file, not this one
    /// put back.
    func isSuperseded(by arrival: Arrival, in database: Database) throws -> Bool {
        guard !isElsewhere,
            (identity.size, identity.modified) != (arrival.identity.size, arrival.identity.modified)
        else { return false }
        // What became of it is recorded later (`conclude`).
        return try !isInInbox
            || Original.of(self, in: database).map { $0.action == .remove || $0.target != nil } == true
    }
}

// MARK: - Writing a state

extension FileRecord {
    /// Moves a file, as it was read in this transaction, to another state.
    ///
    /// - Parameter reason: one line for a person, for the new state.
    /// - Returns: the file after the move; as it was, if the transition deletes its row.
    /// - Throws: `IllegalTransition` if the transition does not start from the file's state.
    @discardableResult
    package func move(
        _ transition: FileTransition, because reason: String? = nil, in database: Database
    ) throws -> FileRecord {
        let refusal = IllegalTransition(file: id, from: state, transition: transition.name)
        guard transition.from.contains(state) else { throw refusal }
        var moved = self
        if let next = transition.to {
            (moved.state, moved.reason, moved.stateSince) = (next, reason, Date())
            moved.attempts = transition.attempts.map { attempts + $0 } ?? 0
            try database.execute(
                cached: """
                    UPDATE file SET state = ?, reason = ?, stateSince = ?, attempts = ?
                    WHERE id = ? AND arrival = ? AND state = ?
                    """, arguments: [next, reason, moved.stateSince, moved.attempts, id, arrival, state])
        } else {
            try database.execute(
                cached: "DELETE FROM file WHERE id = ? AND arrival = ? AND state = ?", arguments: [id, arrival, state])
        }
        // Otherwise the row has changed since it was read.
        guard database.changesCount == 1 else { throw refusal }
        return moved
    }

    /// Writes the state that was decided for a file whose photo is known; nil deletes its row.
    ///
    /// - Parameter reason: one line for a person; nil keeps the file's own as long as it waits.
    static func decide(_ file: Int64, _ state: FileState?, because reason: String?, in database: Database) throws {
        guard let state else {
            return try database.execute(cached: "DELETE FROM file WHERE id = ?", arguments: [file])
        }
        try database.execute(
            cached: """
                UPDATE file SET stateSince = iif(state = :state, stateSince, :now), state = :state,
                    reason = iif(:state IN ('pending', 'processing') AND state IN ('pending', 'processing'), reason, :reason),
                    attempts = iif(:state IN ('pending', 'processing'), attempts, 0)
                WHERE id = :file AND (state <> :state OR reason IS NOT :reason)
                """, arguments: ["file": file, "state": state, "reason": reason, "now": Date()])
    }

    /// The same for the files of a photo in a pack, except those `known`. The cost does not grow with those that are in
    /// their state already.
    ///
    /// - Parameter copies: the state of those that hold the photo.
    static func decide(
        othersOf photo: String, inPack pack: String, except known: [FileRecord],
        _ copies: (state: FileState, reason: String?)?, in database: Database
    ) throws {
        let known = "[" + known.map { "\($0.id)" }.joined(separator: ",") + "]"
        if let (state, reason) = copies {
            let others = FileState.allCases.filter { $0 != state }.map(\.rawValue).joined(separator: "\",\"")
            try database.execute(
                cached: """
                    UPDATE file SET state = :state, reason = :reason, attempts = 0, stateSince = :now
                    WHERE id IN (SELECT file.id FROM json_each(:states) AS other CROSS JOIN file
                        WHERE photo = :photo AND pack = :pack AND state = other.value
                            AND presence IN ('here', 'archived', 'setAside', 'deleted', 'unknown')
                            AND file.id NOT IN (SELECT value FROM json_each(:known)))
                    """,
                arguments: [
                    "photo": photo, "pack": pack, "state": state, "reason": reason, "now": Date(), "known": known,
                    "states": "[\"\(others)\"]",
                ])
        }
        // Work ends on those that could not be read: what their photo has says nothing of them.
        try database.execute(
            cached: """
                UPDATE file SET state = iif(failure IS NULL, 'pending', 'failed'), reason = failure, stateSince = :now,
                    attempts = iif(failure IS NULL, attempts, 0)
                WHERE id IN (SELECT id FROM file WHERE photo = :photo AND pack = :pack AND state = 'processing'
                    AND presence = 'unread' AND id NOT IN (SELECT value FROM json_each(:known)))
                """, arguments: ["photo": photo, "pack": pack, "known": known, "now": Date()])
        try database.execute(
            cached: """
                DELETE FROM file WHERE id IN (SELECT id FROM file WHERE photo = ? AND pack = ? AND presence = 'left'
                    AND id NOT IN (SELECT value FROM json_each(?)))
                """, arguments: [photo, pack, known])
    }

    /// Files that hold a photo in a pack, except those `known`, and are not in a state.
    package static func copies(
        of photo: String, inPack pack: String, except known: [FileRecord], otherThan state: FileState,
        in database: Database
    ) throws -> [FileRecord] {
        try fetchAll(
            database,
            cached: """
                SELECT * FROM file WHERE photo = ? AND pack = ? AND state <> ?
                    AND presence IN ('here', 'archived', 'setAside', 'deleted', 'unknown')
                """, arguments: [photo, pack, state]
        ).filter { file in !known.contains { $0.id == file.id } }
    }

    /// Records a file that came in, unless it is known with the same identity: at `number` in the order of arrival,
    /// with no attempts. If its photo is known, and stickerd may not have moved or removed it, it holds it until the
    /// new contents are read. So does a copy of a file of a former inbox, which may have been moved to another disk.
    ///
    /// - Returns: whether anything was written.
    static func arrive(_ arrival: Arrival, number: Int64, in database: Database) throws -> Bool {
        let holds = """
            photo IS NOT NULL AND excluded.state <> 'ignored' AND (presence IN ('here', 'unread')
                    OR presence = 'unknown' AND (size, modified) = (excluded.size, excluded.modified))
                AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival
                    AND (action = 'remove' OR target IS NOT NULL))
            """
        try database.execute(
            cached: """
                INSERT INTO file (path, folder, pack, device, inode, size, modified, changed, arrival, state,
                    reason, stateSince)
                VALUES (:path, :folder, :pack, :device, :inode, :size, :modified, :changed, :arrival, :state,
                    :reason, :now)
                ON CONFLICT(path) WHERE NOT superseded DO UPDATE SET device = excluded.device, inode = excluded.inode,
                    size = excluded.size, modified = excluded.modified, changed = excluded.changed,
                    arrival = excluded.arrival, state = excluded.state, reason = excluded.reason,
                    photo = iif(\(holds), photo, NULL), presence = iif(\(holds), 'unread', 'here'),
                    failure = NULL, forbidden = 0, leftAt = NULL, attempts = 0, stateSince = excluded.stateSince
                WHERE (device, inode, size, modified, changed) IS NOT
                    (excluded.device, excluded.inode, excluded.size, excluded.modified, excluded.changed)
                    OR (state = 'ignored') <> (excluded.state = 'ignored') OR file.leftAt IS NOT NULL
                    OR file.forbidden OR file.failure IS NOT NULL AND file.presence = 'unread'
                """,
            arguments: [
                "path": arrival.path, "folder": arrival.path.folder?.description ?? "", "pack": arrival.path.pack ?? "",
                "device": Int64(bitPattern: arrival.identity.device),
                "inode": Int64(bitPattern: arrival.identity.inode), "size": arrival.identity.size,
                "modified": arrival.identity.modified, "changed": arrival.identity.changed, "arrival": number,
                "state": arrival.verdict.state, "reason": arrival.verdict.reason, "now": Date(),
            ])
        return database.changesCount > 0
    }
}

extension [FileRecord] {
    /// Moves each file, as `FileRecord.move`. A throw rolls back the transaction, so that all are moved or none.
    @discardableResult
    func move(
        _ transition: FileTransition, because reason: String? = nil, in database: Database
    ) throws -> [FileRecord] {
        try map { try $0.move(transition, because: reason, in: database) }
    }
}

/// A state change that the table does not allow. The transaction that attempted it is rolled back.
struct IllegalTransition: Error, Sendable, CustomStringConvertible {
    let file: Int64
    let from: FileState
    let transition: String

    var description: String {
        "file \(file) of the Library is \(from.rawValue), which does not allow the transition \(transition)"
    }
}

// MARK: - Values in columns

extension FileState: DatabaseValueConvertible {}

extension KnownPhoto.File.Presence: DatabaseValueConvertible {}

extension OriginalsMode.Action: DatabaseValueConvertible {}

extension FileIdentity {
    /// SQLite's integers are signed: device and inode are stored as bit patterns.
    init(storedDevice device: Int64, inode: Int64, size: Int64, modified: Int64, changed: Int64) {
        self.init(
            device: UInt64(bitPattern: device), inode: UInt64(bitPattern: inode), size: size, modified: modified,
            changed: changed)
    }

    /// That of a file, from the columns of its row.
    init(_ row: Row) {
        self.init(
            storedDevice: row["device"], inode: row["inode"], size: row["size"], modified: row["modified"],
            changed: row["changed"])
    }
}

extension InboxPath: Decodable, DatabaseValueConvertible {
    /// The escaped path.
    package var databaseValue: DatabaseValue { description.databaseValue }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> InboxPath? {
        String.fromDatabaseValue(value).map(InboxPath.init(stored:))
    }

    package init(from decoder: any Decoder) throws {
        self.init(stored: try decoder.singleValueContainer().decode(String.self))
    }

    /// Stored text is always escaped; any other is taken literally and names no file.
    private init(stored text: String) {
        self = InboxPath(escaped: text) ?? InboxPath(bytes: Array(text.utf8))
    }
}
