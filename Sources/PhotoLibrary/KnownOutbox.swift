import FileNames
package import Foundation
package import GRDB
import LinuxIO
import SQLiteDatabase
package import SystemPackage

/// What a Library knows of its outbox, so that stickers on an unmounted disk are not mistaken for lost.
package struct KnownOutbox: Sendable {
    private struct Sticker: Decodable, FetchableRecord {
        let folder: String
        let file: String
        let bytes: Int

        /// Relative to the outbox.
        var path: FilePath { FilePath(folder).appending(file) }
    }

    /// The most stickers looked up in a folder without a marker.
    private static let maxStickers = 64

    /// The Library's identity, which the outbox's marker has; nil before its first outbox.
    package let library: UUID?
    /// The stickers that were published last.
    private let latest: [Sticker]

    /// Reads it in a transaction.
    package init(in database: Database) throws {
        library = try Library.meta(Library.identityKey, in: database).flatMap { UUID(uuidString: $0) }
        latest = try Sticker.fetchAll(
            database,
            sql: """
                SELECT folder, file, bytes FROM sticker JOIN pack ON name = pack WHERE published
                ORDER BY id DESC LIMIT ?
                """, arguments: [Self.maxStickers])
    }

    /// Whether the Library never had an outbox: then a missing one is no loss.
    package var isUnused: Bool { library == nil && latest.isEmpty }

    /// Checks that an open folder is the outbox. With the Library's marker, it is. Without a marker, and for a Library
    /// without an identity, it is if it has at least half of the latest stickers, by their sizes: an empty mount point
    /// has none, and one with an early copy of the outbox too few. A Library without stickers takes any folder.
    package func recognize(_ found: OutboxMarker.Found, in folder: Int32) throws(OutboxRefusal) {
        switch found {
        case .blank: return
        case .marker(let marker) where marker.library == library: return
        case .marker(let marker) where library != nil: throw .another(marker)
        case .marker, .nothing, .obstacle:
            let count = latest.count { sticker in
                (try? FileStatus(of: sticker.path.bytes, in: folder).identity.size) == Int64(sticker.bytes)
            }
            guard count * 2 >= latest.count else { throw .unknown }
        }
    }
}

extension Library {
    static let identityKey = "library"

    /// Reads what the Library knows of its outbox.
    package func knownOutbox() async throws -> KnownOutbox { try await database.read { try KnownOutbox(in: $0) } }

    /// Records the Library's identity, unless it has one. Returns that which it has then.
    package func identify(as library: UUID) async throws -> UUID {
        try await database.write { database in
            if let known = try KnownOutbox(in: database).library { return known }
            try Self.setMeta(Self.identityKey, "\(library)", in: database)
            return library
        }
    }

    /// Whether a Library in `folder` has used this outbox, given by its canonical path; false if no Library can be
    /// read.
    package static func hasUsedOutbox(_ outbox: String, in folder: FilePath) -> Bool {
        let isKnown = try? reading(in: folder) { database in
            try meta("outbox", in: database)?.isExactly(outbox) == true && meta(identityKey, in: database) != nil
        }
        return isKnown ?? false
    }

    /// Checks that the folder at the path `outbox` is the Library's outbox.
    ///
    /// - Throws: `LibraryError` with the code `otherOutbox` if not.
    static func requireOutbox(_ outbox: String, for folder: FilePath, in database: Database) throws {
        let known = try KnownOutbox(in: database)
        let bound = try meta("outbox", in: database) ?? outbox
        let beginning = "\(folder): this Library belongs to the outbox \(bound), and \(outbox) "
        let acceptance = OutboxRefusal.acceptance(of: FilePath(outbox))
        do throws(OutboxRefusal) {
            let place = try? OwnedDescriptor(opening: FilePath(outbox), options: .directory)
            guard let place else { throw .unknown }
            try known.recognize(.init(in: place.raw), in: place.raw)
        } catch .unknown {
            throw LibraryError(
                .otherOutbox,
                beginning
                    + "does not have its stickers; move the files of that outbox there, use that outbox, or choose "
                    + "another state folder with --state; if its disk is lost, run: \(acceptance)")
        } catch .another(let marker) {
            throw LibraryError(
                .otherOutbox,
                beginning
                    + "belongs to another Library (\(marker.owner)); use the former outbox, or choose another state "
                    + "folder with --state; if the other Library is lost, run: \(acceptance)")
        }
    }
}
