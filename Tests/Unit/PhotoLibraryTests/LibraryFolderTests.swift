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
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder[name].string)[.posixPermissions] as? Int
    }

    @Test("Only its owner may enter it, even if it was open, and the state folder stays open")
    func closed() throws {
        try folder.makeFolder("library")
        try FileManager.default.setAttributes([.posixPermissions: 0o775], ofItemAtPath: folder["library"].string)
        let before = try mode("")
        let library = try LibraryFixture(in: folder).library
        #expect(try mode("library") == 0o700)
        #expect(try mode("") == before)
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
            try FileManager.default.createSymbolicLink(
                atPath: folder["library/library.sqlite"].string, withDestinationPath: "../elsewhere")
        }
        let file = folder[(isLinked ? "elsewhere" : "library/library.sqlite") + ending]
        try? FileManager.default.removeItem(atPath: file.string)
        // The string outlives the call.
        _ = try Errno.retry { unsafe mkfifo(file.string, 0o600) }
        let path = try #require(file.resolved)
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
        let (lock, library) = (folder["library/library.lock"].string, folder["library"].string)
        try folder.rename("library/library.lock", to: "lock")
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: "../lock")
        let linked = #expect(throws: LibraryError.self) { _ = try Library(in: folder.path, outbox: "/outbox") }
        #expect(linked?.fix == "\(lock) is a symbolic link, not a regular file; move it away")
        try folder.rename("library", to: "former")
        try FileManager.default.createSymbolicLink(atPath: library, withDestinationPath: "/missing/library")
        let dangling = #expect(throws: LibraryError.self) { _ = try LibraryHealth(of: folder.path) }
        #expect(dangling?.code == .unreadable)
        #expect(dangling?.fix == "the symbolic link \(library) leads to nothing; mount its disk, or remove the link")
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
