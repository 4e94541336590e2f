import Foundation
import GRDB
import LibraryCommands
import LinuxIO
@testable import PhotoLibrary
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("A Library that is damaged or cannot be written")
struct DamageTests {
    private let folder = TemporaryFolder()
    private var file: FilePath { folder["library/library.sqlite"] }

    private func fill(endsWell: Bool) async throws {
        let fixture = try LibraryFixture(in: folder)
        for number in 0..<300 { try await fixture.arrive("a rather long name, so that there are some pages \(number)") }
        try await fixture.library.endRebuilding()
        if endsWell { try fixture.library.close() }
    }

    private func overwrite(at offset: Int) throws {
        let descriptor = try FileDescriptor.open(file, .writeOnly)
        try descriptor.closeAfter {
            _ = try descriptor.writeAll(toAbsoluteOffset: Int64(offset), [UInt8](repeating: 0xA5, count: 8192))
        }
    }

    /// Another process that has the file open and may lock it.
    private func otherConnection() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: file.string, configuration: configuration)
    }

    @Test("Libraries that are damaged in the same second are all quarantined")
    func sameSecond() async throws {
        var names: Set<String> = []
        for _ in 0..<20 {
            try folder.write([UInt8](repeating: 0xA5, count: 100), to: "library/library.sqlite")
            let library = try LibraryFixture(in: folder).library
            let aside = try #require(library.quarantined)
            #expect(aside.isDamaged && aside.path.lastComponent?.string.hasPrefix("library.damaged-") == true)
            names.insert(aside.path.string)
            try library.close()
        }
        #expect(names.count == 20)
        #expect(names.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    }

    private func damageMiddle() throws {
        let size = Int(try FileStatus(of: file).identity.size)
        #expect(size > 40_000)
        try overwrite(at: size / 2)
    }

    @Test("Damage in the middle of the file is found after a process that ended uncleanly")
    func middle() async throws {
        try await fill(endsWell: false)
        try damageMiddle()
        #expect(try LibraryFixture(in: folder).library.quarantined != nil)
    }

    @Test("Damage after a clean end is found on request, and reported by an inspection")
    func suspect() async throws {
        try await fill(endsWell: true)
        try damageMiddle()
        let inspection = #expect(throws: LibraryError.self) { try LibraryInspection(of: folder.path) }
        #expect(inspection?.code == .damaged)
        #expect(
            inspection?.description.hasSuffix(
                "stop stickerd and run stickerd verify --repair, which rebuilds it from the outbox") == true)
        let library = try Library(in: folder.path, outbox: "/outbox", isSuspect: true)
        #expect(library.quarantined != nil)
        #expect(try await library.needsRebuilding())
    }

    @Test("A Library that another program has emptied is damaged, in a report, too")
    func emptied() async throws {
        try await fill(endsWell: true)
        try folder.write([], to: "library/library.sqlite")
        let report = #expect(throws: LibraryError.self) { try LibraryReport(of: folder.path) }
        #expect(report?.code == .damaged && report?.description.contains("verify --repair") == true)
    }

    @Test("An error of the disk, or a used-up quota, is not blamed on permissions")
    func diskError() {
        let error = DatabaseError(resultCode: .SQLITE_IOERR_WRITE, message: "disk I/O error")
        #expect("\(LibraryError.explaining(error, of: "/state"))".hasSuffix("or a quota is used up"))
    }

    @Test("A copy of an open Library that mixes two of its states is found", arguments: [true, false])
    func mixed(isCopy: Bool) async throws {
        try await fill(endsWell: false)
        // The rows of two states, the index of one: a faster check than that of a copy does not find it.
        // The former owner's connections are closed when ARC releases them, which may be a little later.
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        let database = try DatabaseQueue(path: file.string, configuration: configuration)
        try await database.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'fileByInode';
                    DELETE FROM sqlite_schema WHERE name = 'fileByInode';
                    PRAGMA writable_schema = RESET;
                    UPDATE file SET inode = inode + 1 WHERE id % 7 = 0;
                    PRAGMA writable_schema = ON;
                    INSERT INTO sqlite_schema SELECT * FROM kept;
                    PRAGMA writable_schema = RESET;
                    """)
        }
        try database.close()
        if isCopy {
            try folder.rename("library", to: "original")
            try FileManager.default.copyItem(atPath: folder["original"].string, toPath: folder["library"].string)
        }
        let library = try LibraryFixture(in: folder).library
        #expect((library.quarantined != nil) == isCopy)
    }

    @Test("Whatever check the opened Library went through, this process has SQLite's lock on it", arguments: 0..<6)
    func locked(how: Int) async throws {
        switch how {
        case 0: break
        case 1, 2: try await fill(endsWell: how == 1)
        case 3: try GrownLibrary.make(100, in: folder)
        case 4: try folder.write([UInt8](repeating: 0xA5, count: 100), to: "library/library.sqlite")
        default:
            try await fill(endsWell: true)
            try damageMiddle()
        }
        let library = try Library(in: folder.path, outbox: "/outbox", isSuspect: how == 5)
        #expect((library.quarantined != nil) == (how > 3))
        // Not by /proc/locks: it has the locks of all processes, is read in pieces, and may change between them.
        #expect(FileLock.holder(of: file)?.hasPrefix("\(ProcessInfo.processInfo.processIdentifier) ") == true)
        try library.close()
    }

    @Test("An undamaged Library is never quarantined, however the last process ended", arguments: [false, true])
    func whole(endsWell: Bool) async throws {
        try await fill(endsWell: endsWell)
        let library = try LibraryFixture(in: folder).library
        #expect(library.quarantined == nil)
        #expect(try await library.status().photos[.pending] == 300)
        #expect(try await !library.needsRebuilding())
    }

    @Test("After endPatience(), a disk error is thrown", .timeLimit(.minutes(1)))
    func impatience() async throws {
        let fixture = try LibraryFixture(in: folder)
        let other = try otherConnection()
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        try await fixture.library.failAtOnceIfBusy()
        fixture.library.endPatience()
        await #expect(throws: DatabaseError.self) { try await fixture.arrive("a") }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }
}
