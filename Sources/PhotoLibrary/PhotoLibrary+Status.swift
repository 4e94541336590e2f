import GRDB
import LinuxIO
package import SystemPackage

extension PhotoLibrary {
    /// The counts of this moment. Costs the same however many files there are.
    package func status() async throws -> LibraryStatus {
        try await database.read { try Self.status(in: $0) }
    }

    /// The counts as they stand on disk, whether a daemon is running on the state folder or not.
    ///
    /// - Throws: `LibraryError` with `.missing` where there is no Library, `.unreadable` where it cannot be read.
    package static func status(in folder: FilePath) throws -> LibraryStatus {
        let path = folder.appending(fileName)
        guard OwnedDescriptor.exists(path) else {
            throw LibraryError.missing(folder)
        }
        do {
            let database = try DatabaseQueue(path: path.string, configuration: configuration(readonly: true))
            let status = try database.read { try Self.status(in: $0) }
            let running = FileLock.isHeld(at: folder.appending(lockName))
            return LibraryStatus(
                photos: status.photos, stickers: status.stickers, scanning: status.scanning && running)
        } catch let error as DatabaseError {
            throw LibraryError.unreadable(folder, error)
        }
    }

    private static func status(in database: Database) throws -> LibraryStatus {
        var photos = Dictionary(uniqueKeysWithValues: FileState.allCases.map { ($0, 0) })
        for row in try Row.fetchAll(database, sql: "SELECT state, files FROM tally") {
            guard let state = FileState(rawValue: row["state"]) else { continue }
            photos[state] = row["files"]
        }
        let stickers = try Int.fetchOne(database, sql: "SELECT stickers FROM stickerTally") ?? 0
        return LibraryStatus(photos: photos, stickers: stickers, scanning: try meta("scanning", in: database) == "1")
    }
}
