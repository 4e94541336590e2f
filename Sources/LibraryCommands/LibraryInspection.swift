package import FileNames
import GRDB
package import LinuxIO
import OutboxLayout
package import PackLedger
package import PhotoLibrary
package import PhotoRule
import SQLiteDatabase
package import SystemPackage

/// A snapshot of a Library's contents, whether or not the daemon is running. Read-only.
package struct LibraryInspection: Sendable {
    package struct Pack: Sendable {
        /// The pack's name in the Library: '' for the root pack.
        package let name: String
        /// Relative to the outbox; '' for the root pack.
        package let folder: String
        /// In index order.
        package var published: [StickerRecord] = []
        /// Files that are not in the index but may be in the folder: withdrawn stickers, names reserved for new ones
        /// and their thumbnails, and derived files to be removed.
        package var others: Set<ExactName> = []
        /// The derived files in its folder, except those to be removed.
        package var files: [LedgerEntry] = []
        /// The stems of the photos' palette files, of photos whose colors are known.
        package var palettes: [String] = []
        /// Photos that should have palette files and have none.
        package var withoutPalette: [StickerRecord] = []
        /// Whether no photo of it is waiting.
        package var isDrained = true
    }

    package struct File: Sendable {
        /// As last recorded.
        package let identity: FileIdentity
        /// SHA-256, lowercase hexadecimal; nil if it was never read.
        package let photo: String?
        package let state: FileState
        /// Whether it is to be moved or removed, which may have happened already.
        package let isLeaving: Bool
    }

    /// Ordered by name.
    package let packs: [Pack]
    /// How many files it has, in any state, also of those that have left the inbox.
    package let fileCount: Int
    /// Those in the inbox, as far as is known.
    package let files: [InboxPath: File]
    /// What is to become of photos, by their SHA-256, and has not, although it should have in the transaction that
    /// changed them; one line each for a person.
    package let undecided: [(photo: String, text: String)]
    package let outbox: KnownOutbox

    /// - Throws: `LibraryError` if there is no Library that can be read, or if SQLite's `integrity_check` finds damage.
    package init(of folder: FilePath) throws {
        self = try Library.reading(in: folder) { try LibraryInspection($0) }
    }

    private init(_ database: Database) throws {
        try database.requireSoundness(by: .full)
        // A WAL that was deleted may have had all that there was.
        guard try database.tableExists("meta") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its tables are missing")
        }
        outbox = try KnownOutbox(in: database)
        var packs: [ExactName: Pack] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT name, folder FROM pack") {
            packs[ExactName(row["name"])] = Pack(name: row["name"], folder: row["folder"])
        }
        let stickers = try Row.fetchCursor(database, sql: "SELECT * FROM sticker ORDER BY pack, arrival, ordinal")
        while let row = try stickers.next() {
            if row["published"] {
                packs[ExactName(row["pack"])]?.published.append(try StickerRecord(row: row))
            } else {
                let thumbnail = (row["thumbnail"] as String?).map { ExactName(OutboxSubfolder.thumbnails.file($0)) }
                packs[ExactName(row["pack"])]?.others.formUnion([ExactName(row["file"]), thumbnail].compactMap(\.self))
            }
        }
        for row in try Row.fetchAll(database, sql: "SELECT pack, file FROM withdrawn") {
            packs[ExactName(row["pack"])]?.others.insert(ExactName(row["file"]))
        }
        let ledger = try Row.fetchCursor(database, sql: "SELECT * FROM ledger ORDER BY pack, file")
        while let row = try ledger.next() {
            if row["unwanted"] {
                packs[ExactName(row["pack"])]?.others.insert(ExactName(row["file"]))
            } else {
                packs[ExactName(row["pack"])]?.files.append(LedgerEntry(row: row))
            }
        }
        try Self.readPalettes(of: &packs, in: database)
        for row in try Row.fetchAll(
            database, sql: "SELECT pack FROM packTally WHERE files > 0 AND state IN ('pending', 'processing')")
        {
            packs[ExactName(row["pack"])]?.isDrained = false
        }
        self.packs = packs.sorted { $0.key < $1.key }.map(\.value)
        var files: [InboxPath: File] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT file.*, decided IS NOT NULL AS leaving FROM file
                LEFT JOIN original ON original.file = id AND original.arrival = file.arrival
                WHERE leftAt IS NULL
                """)
        while let row = try rows.next() {
            let file = try FileRecord(row: row)
            files[file.path] = File(
                identity: file.identity, photo: file.photo, state: file.state, isLeaving: row["leaving"])
        }
        self.files = files
        fileCount = try Int.fetchOne(database, sql: "SELECT SUM(files) FROM tally") ?? 0
        undecided = try Self.undecided(in: database)
    }

    private static func readPalettes(of packs: inout [ExactName: Pack], in database: Database) throws {
        let palettes = try Row.fetchCursor(
            database,
            sql: """
                SELECT pack, stem, (SELECT colors FROM result WHERE result.photo = palette.photo
                    AND colors IS NOT NULL ORDER BY finished DESC LIMIT 1) AS colors FROM palette
                """)
        while let row = try palettes.next() {
            guard Library.sample(row["colors"]) != nil else { continue }
            packs[ExactName(row["pack"])]?.palettes.append(row["stem"])
        }
        let stickers = try StickerRecord.fetchCursor(
            database,
            sql: """
                SELECT * FROM sticker WHERE published AND ordinal = 0 AND recipe <> ? AND NOT EXISTS (
                    SELECT 1 FROM palette WHERE palette.photo = sticker.photo AND palette.pack = sticker.pack)
                """, arguments: [Library.unknownRecipe])
        while let sticker = try stickers.next() { packs[ExactName(sticker.pack)]?.withoutPalette.append(sticker) }
    }

    /// Decides every photo without carrying it out.
    private static func undecided(in database: Database) throws -> [(photo: String, text: String)] {
        var undecided: [(photo: String, text: String)] = []
        let photos = try String.fetchCursor(
            database, sql: "SELECT sha256 FROM photo WHERE sha256 NOT IN (SELECT photo FROM undecided)")
        while let photo = try photos.next() {
            let (facts, decision) = try Library.decision(about: photo, in: database)
            for (index, answer) in decision.packs.enumerated() {
                let pack = facts.photo.packs[index].name.text
                for withdrawal in answer.withdrawn {
                    let file = try String.fetchOne(
                        database, cached: "SELECT file FROM sticker WHERE photo = ? AND pack = ? AND ordinal = ?",
                        arguments: [photo, pack, withdrawal.ordinal])
                    let name = (pack.isEmpty ? "" : pack + "/") + (file ?? photo)
                    undecided.append((photo, "\(name): the sticker is in the Library without a reason"))
                }
                let files = facts.files[index]
                var states = zip(files, answer.states).map { (file: $0, state: $1) }
                if let copies = answer.copies {
                    states += try FileRecord.copies(
                        of: photo, inPack: pack, except: files, otherThan: copies, in: database
                    ).map { ($0, copies) }
                }
                for (file, state) in states where file.state != state {
                    let should = state.map { "be \($0.rawValue)" } ?? "not be there"
                    undecided.append(
                        (photo, "\(file.path): is \(file.state.rawValue) in the Library, but should \(should)"))
                }
            }
        }
        return undecided
    }
}
