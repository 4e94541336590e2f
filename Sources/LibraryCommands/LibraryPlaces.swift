import FileNames
import GRDB
import LinuxIO
import PhotoLibrary
package import SystemPackage

/// The folders and the settings file of a Library's daemon.
package struct LibraryPlaces: Sendable, Equatable {
    /// Nil until an inbox was read.
    package let inbox: FilePath?
    /// With symbolic links resolved.
    package let outbox: FilePath?
    /// Nil if the last start had none.
    package let settingsFile: FilePath?

    init(_ database: Database) throws {
        func path(_ text: String?) -> FilePath? {
            text.flatMap { InboxPath(escaped: $0) }.map { FilePath(bytes: $0.bytes) }
        }
        inbox = path(try String.fetchOne(database, sql: "SELECT path FROM inboxPlace"))
        outbox = try Library.meta("outbox", in: database).map { FilePath($0) }
        settingsFile = path(try Library.meta(Library.settingsFileKey, in: database))
    }

    /// Reads those of the Library in `folder`; nil if there is none that can be read.
    package init?(of folder: FilePath) {
        guard let places = try? Library.reading(in: folder, { try LibraryPlaces($0) }) else { return nil }
        self = places
    }
}
