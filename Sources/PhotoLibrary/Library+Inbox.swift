package import FileNames
package import Foundation
import GRDB
package import LinuxIO
import PhotoRule
import SQLiteDatabase
import Synchronization

/// A file that the Inbox found complete, or decided to ignore.
package struct Arrival: Sendable {
    package enum Verdict: Sendable, Equatable {
        /// Complete: it joins the queue.
        case ready
        /// `reason` is one line for a person. It is news unless the settings ignore the name.
        case ignored(reason: String, isNews: Bool = false)

        var state: FileState { self == .ready ? .pending : .ignored }
        var reason: String? { if case .ignored(let reason, _) = self { reason } else { nil } }
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

/// What the Inbox reads and records.
extension Library {
    /// The folders of all known files in the inbox; nil is the inbox's root.
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
    /// Files in `renamed` (by new path; the values are former paths) join the queue only if their pack changed, or if
    /// another file had the new path.
    package func record(_ arrivals: [Arrival], renamed: [InboxPath: InboxPath] = [:]) async throws -> Int {
        let (pending, news) = try await database.write { database in
            var pending = 0
            var news: [FileNews] = []
            var moved: [FileRecord] = []
            var next = try Self.lastArrival(in: database) + 1
            for arrival in arrivals {
                let pack = arrival.path.pack ?? ""
                let former = renamed[arrival.path]
                var overwritten = try FileRecord.at(arrival.path, in: database)
                if let file = overwritten, try file.isSuperseded(by: arrival, in: database) {
                    try database.execute(
                        cached: "UPDATE file SET superseded = 1, leftAt = coalesce(leftAt, ?) WHERE id = ?",
                        arguments: [Date(), file.id])
                    overwritten = nil
                }
                // Something that is no photo has taken a photo's name: the photo has left.
                if arrival.verdict.state == .ignored, let overwritten, overwritten.state != .ignored {
                    _ = try self.forget([overwritten], .logged, in: database)
                    if overwritten.state == .processing, overwritten.photo != nil {
                        try self.recordDeparture(of: overwritten, in: database)
                    }
                }
                if let former, overwritten == nil, let file = try self.rename(former, to: arrival, in: database) {
                    let wasPlanned = try Self.dropPlan(of: file, in: database)
                    if wasPlanned || !pack.isExactly(file.pack) || !file.isInInbox { moved.append(file) }
                    continue
                }
                guard try FileRecord.arrive(arrival, number: next, in: database) else { continue }
                if let former, overwritten != nil { try self.replace(former, by: arrival, in: database) }
                next += 1
                if let change = arrival.news(after: overwritten) {
                    news.append(FileNews(path: arrival.path, change: change))
                }
                guard arrival.verdict.state == .pending else { continue }
                pending += 1
            }
            try Self.decideTouched(in: database)
            // What was planned for one was dropped when it was missing, or concerned its former path or another pack.
            let originals = try Self.rules(in: database).originals
            for file in try moved.compactMap({ try FileRecord.of($0.id, arrival: $0.arrival, in: database) }) {
                if file.state == .pending { pending += 1 }
                try Self.intend(originals, for: file, in: database)
            }
            return (pending, news)
        }
        fileNews.add(news)
        return pending
    }

    /// Records that files left the inbox. Files that stickerd moves or removes stay.
    ///
    /// - Parameters:
    ///   - paths: the files that left, each relative to the inbox.
    ///   - isLogged: whether their removal is in the log already, but not what became of their stickers.
    ///   - date: when they left.
    /// - Returns: the files in progress, of which nothing is recorded: the caller has to look for them again when they
    ///   are finished, because they may be back by then.
    @discardableResult
    package func forget(
        _ paths: [InboxPath], isLogged: Bool = false, at date: Date = .now
    ) async throws -> [InboxPath] {
        announce(
            try await database.write { database in
                // One that has come and gone several times in a row is named as often.
                let files = try Set(paths).sorted().compactMap { try FileRecord.at($0, in: database) }
                return try self.forget(files, isLogged ? .logged : .removed, at: date, in: database)
            })
    }

    /// Why files leave the inbox, for the log.
    enum Departure {
        /// They were removed.
        case removed
        /// The same, and that is in the log already, but not what became of their stickers.
        case logged
        /// The settings ignore them now.
        case ignored
    }

    /// What `announce` tells once the transaction is on disk.
    struct Departures {
        var news: [FileNews] = []
        var unfinished: [InboxPath] = []
    }

    /// Returns the files of which nothing is recorded, as `forget`.
    func announce(_ departures: Departures) -> [InboxPath] {
        fileNews.add(departures.news)
        return departures.unfinished
    }

    func forget(
        _ files: [FileRecord], _ departure: Departure, at date: Date = .now, in database: Database
    ) throws -> Departures {
        var departures = Departures()
        for file in files where try !file.isElsewhere && Original.of(file, in: database) == nil {
            departures.news += [news(of: departure, of: file)].compactMap(\.self)
            guard file.isInInbox else { continue }
            if file.state == .processing {
                departures.unfinished.append(file.path)
            } else {
                try leave(file, at: date, in: database)
            }
        }
        return departures
    }

    /// Nil if the file was of no interest.
    private func news(of departure: Departure, of file: FileRecord) -> FileNews? {
        guard file.state != .ignored else { return nil }
        let isWithdrawn = withdrawsRemoved.load(ordering: .relaxed)
        let sticker = file.state == .done ? (isWithdrawn ? WhenPhotoRemoved.withdraw : .keep) : nil
        switch departure {
        case .logged where sticker == nil: return nil
        case .removed, .logged: return FileNews(path: file.path, change: .removed(sticker: sticker))
        case .ignored: return FileNews(path: file.path, change: .excluded(sticker: sticker))
        }
    }
}

extension Arrival {
    /// What is worth a line of the log; nil for a new photo.
    fileprivate func news(after former: FileRecord?) -> FileNews.Change? {
        switch verdict {
        case .ignored(let reason, let isNews): return isNews ? .ignored(reason: reason) : nil
        case .ready:
            // A pending file may still be growing.
            guard let former, former.photo != nil, former.isInInbox,
                !identity.seemsUnwritten(since: former.identity)
            else { return nil }
            return .replaced
        }
    }
}
