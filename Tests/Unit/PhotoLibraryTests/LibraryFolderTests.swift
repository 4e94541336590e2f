import Foundation
import GRDB
import Glibc
import LibraryCommands
import LinuxIO
@testable import PhotoLibrary
import SQLiteDatabase
import SystemPackage
import TestSupport
import Testing

@Suite("The Library's own folder in the state folder")
struct LibraryFolderTests {
    private let folder = TemporaryFolder()

    @Test("Only its owner may enter it, even if it was open, and the state folder stays open")
    func closed() throws {
        try folder.makeFolder("library")
        try folder.setMode(0o775, of: "library")
        let before = try folder.mode(of: "")
        let library = try LibraryFixture(in: folder).library
        #expect(try folder.mode(of: "library") == 0o700)
        #expect(try folder.mode(of: "") == before)
        #expect(try folder.names() == ["library"])
        try library.close()
    }

    @Test(
        "A FIFO in place of a file neither blocks the daemon nor a command, which name it",
        .timeLimit(.minutes(1)), arguments: ["", "-wal", "-shm", "-journal"], [false, true])
    func fifo(ending: String, isLinked: Bool) throws {
        try LibraryFixture(in: folder).library.close()
        if isLinked {
            try folder.rename("library/library.sqlite", to: "elsewhere")
            try folder.link("library/library.sqlite", to: "../elsewhere")
        }
        let file = (isLinked ? "elsewhere" : "library/library.sqlite") + ending
        try? folder.remove(file)
        try folder.makeFIFO(file)
        let path = try #require(folder[file].resolved)
        for isSuspect in [false, true] {
            #expect(throws: LibraryError.self) {
                _ = try Library(in: folder.path, outbox: "/outbox", isSuspect: isSuspect)
            }
        }
        for command in [
            { _ = try LibraryHealth(of: folder.path) }, { _ = try Library.requestRetry(in: folder.path, of: []) },
        ] {
            let error = #expect(throws: LibraryError.self) { try command() }
            #expect(error?.fix == "\(path) is a FIFO, not a regular file; move it away")
        }
    }

    @Test("A link that leads to nothing, or that is a lock, is named, and no command takes the Library for missing")
    func link() throws {
        try LibraryFixture(in: folder).library.close()
        try folder.rename("library/library.lock", to: "lock")
        try folder.link("library/library.lock", to: "../lock")
        let linked = #expect(throws: LibraryError.self) { _ = try Library(in: folder.path, outbox: "/outbox") }
        #expect(
            linked?.fix == "\(folder["library/library.lock"]) is a symbolic link, not a regular file; move it away")
        try folder.rename("library", to: "former")
        try folder.link("library", to: "/missing/library")
        let dangling = #expect(throws: LibraryError.self) { _ = try LibraryHealth(of: folder.path) }
        #expect(dangling?.code == .unreadable)
        #expect(
            dangling?.fix
                == "the symbolic link \(folder["library"]) leads to nothing; mount its disk, or remove the link")
    }

    @Test("A WAL that grew during a long read is truncated after it")
    func walSize() async throws {
        let fixture = try LibraryFixture(in: folder)
        let size = { try FileStatus(of: folder["library/library.sqlite-wal"]).identity.size }
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: folder["library/library.sqlite"].string, configuration: configuration)
        func fill() async throws {
            for letter in "abcdef" {
                try await fixture.library.database.write { database in
                    try database.execute(
                        sql: "INSERT INTO meta VALUES ('test', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                        arguments: [String(repeating: letter, count: 2 << 20)])
                }
            }
        }
        try await reader.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN")
            _ = try Row.fetchAll(database, sql: "SELECT * FROM file")
        }
        try await fill()
        #expect(try size() > 10 << 20)
        try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try await fill()
        #expect(try size() <= 8 << 20)
        try reader.close()
        try fixture.library.close()
    }
}
