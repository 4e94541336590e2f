import Foundation
import GRDB
import LinuxIO
@testable import PhotoLibrary
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

    private func names(_ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path.appending(name).string).sorted()
    }

    /// What an earlier release leaves after a crash: its files are in the state folder.
    private func makeFormer() async throws {
        let fixture = try LibraryFixture(in: folder)
        try await fixture.arrive("a", "b")
        // A copy while it is open has the WAL.
        for name in try names("library") {
            try FileManager.default.copyItem(
                atPath: folder["library/\(name)"].string, toPath: folder[name].string)
        }
        try folder.write([1], to: "library.damaged-20260101T000000Z.sqlite")
        try fixture.library.close()
        try folder.remove("library")
        #expect(try names().contains("library.sqlite-wal"))
    }

    private func pending() async throws -> Int? {
        let library = try LibraryFixture(in: folder).library
        defer { try? library.close() }
        #expect(library.quarantined == nil)
        return try await library.status().photos[.pending]
    }

    @Test("Only its owner may enter it, even if it was open, and the state folder stays open")
    func closed() throws {
        try folder.makeFolder("library")
        try FileManager.default.setAttributes([.posixPermissions: 0o775], ofItemAtPath: folder["library"].string)
        let before = try mode("")
        let library = try LibraryFixture(in: folder).library
        #expect(try mode("library") == 0o700)
        #expect(try mode("") == before)
        #expect(try names() == ["library"])
        try library.close()
    }

    @Test("What an earlier release left in the state folder is moved there, with its WAL")
    func former() async throws {
        try await makeFormer()
        // Commands find it there until the next start.
        #expect(PhotoLibrary.exists(in: folder.path))
        #expect(try PhotoLibrary.status(in: folder.path).photos[.pending] == 2)
        #expect(try await pending() == 2)
        #expect(try names() == ["library"])
        #expect(try names("library").contains("library.damaged-20260101T000000Z.sqlite"))
        #expect(try await pending() == 2)
    }

    @Test("A crash between any two of these moves loses nothing", arguments: 0...4)
    func crashed(moved: Int) async throws {
        try await makeFormer()
        // SQLite's file is last.
        let files = try names().filter { $0 != "library.sqlite" && $0 != "library.lock" } + ["library.sqlite"]
        #expect(files.count == 4)
        try folder.makeFolder("library")
        for name in files.prefix(moved) { try folder.rename(name, to: "library/\(name)") }
        #expect(try await pending() == 2)
        #expect(try !names().contains { $0.hasPrefix("library.") && $0 != "library.lock" })
    }

    @Test("Nothing is moved while the daemon of that release runs, nor over the Library in its own folder")
    func inUse() async throws {
        try await makeFormer()
        do {
            let lock = try FileLock(at: folder["library.lock"])
            let error = #expect(throws: LibraryError.self) { try LibraryFixture(in: folder) }
            #expect(error?.code == .inUse)
            #expect(error?.description.contains("process \(ProcessInfo.processInfo.processIdentifier) (") == true)
            _ = consume lock
        }
        #expect(try await pending() == 2)
        try folder.write(Array("garbage".utf8), to: "library.sqlite")
        #expect(try await pending() == 2)
        #expect(try names() == ["library", "library.sqlite"])
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
