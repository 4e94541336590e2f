import Foundation
import GRDB
package import LinuxIO

/// A file that the Inbox found complete, or decided to ignore.
package struct Arrival: Sendable {
    package enum Verdict: Sendable {
        /// Complete: it joins the queue.
        case ready
        /// `reason` is one line for a person.
        case ignored(reason: String)

        var state: FileState {
            switch self {
            case .ready: .pending
            case .ignored: .ignored
            }
        }

        var reason: String? {
            switch self {
            case .ready: nil
            case .ignored(let reason): reason
            }
        }
    }

    package let path: InboxPath
    /// The file's identity when the verdict was made.
    package let identity: FileIdentity
    package let verdict: Verdict

    package init(path: InboxPath, identity: FileIdentity, verdict: Verdict) {
        self.path = path
        self.identity = identity
        self.verdict = verdict
    }
}

/// A file as rescans compare it.
struct KnownFile: Decodable, FetchableRecord {
    let path: InboxPath
    private let device: Int64
    private let inode: Int64
    private let size: Int64
    private let modified: Int64
    private let changed: Int64

    var identity: FileIdentity {
        FileIdentity(storedDevice: device, inode: inode, size: size, modified: modified, changed: changed)
    }
}

/// What the Inbox reads and records.
extension PhotoLibrary {
    /// The files known directly in one folder (nil: the inbox's root), in any state, with their recorded identities.
    /// Excludes files that have left the inbox.
    package func known(inFolder folder: InboxPath?) async throws -> [InboxPath: FileIdentity] {
        try await database.read { database in
            var known: [InboxPath: FileIdentity] = [:]
            let files = try KnownFile.fetchCursor(
                database,
                sql: """
                    SELECT path, device, inode, size, modified, changed FROM file
                    WHERE folder = ? AND leftAt IS NULL
                    """,
                arguments: [folder?.description ?? ""])
            while let file = try files.next() { known[file.path] = file.identity }
            return known
        }
    }

    /// The folders of all such files; nil is the inbox's root.
    package func knownFolders() async throws -> [InboxPath?] {
        try await database.read { database in
            // Reads one index entry for each folder; DISTINCT would read one for each file.
            try String.fetchAll(
                database,
                sql: """
                    WITH RECURSIVE known(folder) AS (
                        SELECT min(folder) FROM file WHERE leftAt IS NULL
                        UNION ALL
                        SELECT (SELECT min(folder) FROM file WHERE folder > known.folder AND leftAt IS NULL) FROM known
                        WHERE known.folder IS NOT NULL)
                    SELECT folder FROM known WHERE folder IS NOT NULL
                    """
            )
            .map { $0.isEmpty ? nil : InboxPath(escaped: $0) }
        }
    }

    /// Records files that came in, in this order. Returns how many joined the queue.
    ///
    /// A known file with the same identity is left as it is. One whose identity differs, or that had left the inbox,
    /// goes to the end of the queue without its attempts.
    ///
    /// Files in `renamed` (by new path; the values are former paths) join the queue only if their pack changed.
    package func record(_ arrivals: [Arrival], renamed: [InboxPath: InboxPath] = [:]) async throws -> Int {
        let (pending, packs) = try await database.write { database in
            var pending = 0
            var packs: Set<ExactName> = []
            var next = try Self.lastArrival(in: database) + 1
            for arrival in arrivals {
                let pack = arrival.path.pack ?? ""
                if let former = renamed[arrival.path] {
                    let (isKnown, isWaiting) = try Self.rename(former, to: arrival, in: database)
                    if isWaiting { pending += 1 }
                    if isKnown { packs.formUnion([ExactName(pack), ExactName(former.pack ?? "")]) }
                    if isKnown { continue }
                }
                guard try FileRecord.arrive(arrival, number: next, in: database) else { continue }
                next += 1
                guard arrival.verdict.state == .pending else { continue }
                pending += 1
                packs.insert(ExactName(pack))
            }
            return (pending, packs)
        }
        markChanged(packs)
        return pending
    }

    /// Records that files left the inbox. Rows of waiting, ignored or failed files are deleted; finished ones stay as
    /// history, `elsewhere`, unless their stickers are withdrawn with them. Files that stickerd moves or removes stay.
    package func forget(_ paths: [InboxPath]) async throws {
        let packs = try await database.write { database in
            var packs = try self.withdrawStickers(ofRemovedFiles: paths, in: database)
            for path in paths {
                guard let file = try FileRecord.at(path, in: database) else { continue }
                if file.state == .pending || file.state == .ignored {
                    packs.formUnion(try self.withdrawReplaced(by: file.id, photo: nil, in: database))
                }
                guard try !file.hasOriginal(in: database) else { continue }
                switch file.state {
                case .pending, .ignored, .failed:
                    if let photo = file.photo {
                        try Self.withdrawReserved(ofPhoto: photo, pack: file.pack, without: file.id, in: database)
                    }
                    try file.move(.forget, in: database)
                    packs.insert(ExactName(file.pack))
                case .done, .duplicate, .noSubject:
                    try database.execute(
                        sql: "UPDATE file SET device = ? WHERE id = ?",
                        arguments: [Int64(bitPattern: Self.elsewhere), file.id])
                case .processing: break
                }
            }
            return packs
        }
        markChanged(packs)
    }
}

/// Files that were renamed in the inbox.
extension PhotoLibrary {
    /// The former paths of files with new paths, by new path. A file may still have its former path (link(2)): callers
    /// must check.
    ///
    /// Inode change time is not compared, because rename(2) sets it. Files that stickerd moved or removed are excluded;
    /// files that others took out of the inbox may return under another name.
    package func formerNames(of arrivals: [Arrival]) async throws -> [InboxPath: InboxPath] {
        try await database.read { database in
            var former: [InboxPath: InboxPath] = [:]
            for arrival in arrivals {
                guard case .ready = arrival.verdict else { continue }
                former[arrival.path] = try InboxPath.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT path FROM file
                            WHERE device IN (:device, :elsewhere)
                                AND inode = :inode AND size = :size AND modified = :modified
                                AND path <> :path AND state <> 'ignored'
                                AND NOT EXISTS (SELECT 1 FROM file WHERE path = :path)
                                AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival)
                            """),
                    arguments: [
                        "device": Int64(bitPattern: arrival.identity.device),
                        "elsewhere": Int64(bitPattern: Self.elsewhere),
                        "inode": Int64(bitPattern: arrival.identity.inode), "size": arrival.identity.size,
                        "modified": arrival.identity.modified, "path": arrival.path,
                    ])
            }
            return former
        }
    }

    /// Renames a file's row, which keeps its key, arrival and history. In another pack the photo needs a sticker; the
    /// former one is withdrawn once that is made, if stickers are withdrawn with their photos.
    static func rename(
        _ former: InboxPath, to arrival: Arrival, in database: Database
    ) throws -> (isKnown: Bool, isWaiting: Bool) {
        let file = try FileRecord.fetchOne(
            database, sql: "SELECT * FROM file WHERE path = ? AND inode = ? AND size = ? AND modified = ?",
            arguments: [
                former, Int64(bitPattern: arrival.identity.inode), arrival.identity.size, arrival.identity.modified,
            ])
        guard let file else { return (false, false) }
        let pack = arrival.path.pack ?? ""
        let isElsewhere = !file.pack.isExactly(pack) && file.state.isRepackedIfMoved
        if isElsewhere {
            try recordReplaced(file.photo, inPack: file.pack, by: file.id, in: database)
            try file.move(.repack, in: database)
        }
        try database.execute(
            sql: "UPDATE file SET path = ?, folder = ?, pack = ?, device = ?, changed = ? WHERE id = ?",
            arguments: [
                arrival.path, arrival.path.folder?.description ?? "", pack,
                Int64(bitPattern: arrival.identity.device), arrival.identity.changed, file.id,
            ])
        return (true, isElsewhere)
    }
}
