import Foundation
import GRDB
import LinuxIO
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@Suite("A Library that is damaged, or cannot be written")
struct DamageTests {
    private let folder: TemporaryFolder
    private var file: FilePath { folder["library.sqlite"] }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func fill(endsWell: Bool) async throws {
        let fixture = try LibraryFixture(in: folder)
        for number in 0..<300 { try await fixture.arrive("a rather long name, so that there are some pages \(number)") }
        try await fixture.library.recordProcess(ProcessIdentity.current())
        if endsWell { try fixture.library.close() }
    }

    private func overwrite(at offset: Int) throws {
        let descriptor = try FileDescriptor.open(file, .writeOnly)
        try descriptor.closeAfter {
            _ = try descriptor.writeAll(toAbsoluteOffset: Int64(offset), [UInt8](repeating: 0xA5, count: 8192))
        }
    }

    /// Somebody else who has the file open, and may keep it locked.
    private func otherConnection() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: file.string, configuration: configuration)
    }

    @Test("One that is no database any more is put aside, and a new one takes its place")
    func noDatabase() async throws {
        try await fill(endsWell: true)
        try overwrite(at: 0)
        let library = try LibraryFixture(in: folder).library
        let aside = try #require(library.setAside)
        #expect(aside.lastComponent?.string.hasPrefix("library.damaged-") == true)
        #expect(FileManager.default.fileExists(atPath: aside.string))
        #expect(try await library.status().photos[.pending] == 0)
        #expect(try await library.needsRebuilding())
    }

    @Test("Damage in the middle is found when the last process did not end well")
    func middle() async throws {
        try await fill(endsWell: false)
        let size = Int(try FileStatus(of: file).identity.size)
        #expect(size > 40_000)
        try overwrite(at: size / 2)
        #expect(try LibraryFixture(in: folder).library.setAside != nil)
    }

    @Test("A whole Library is never put aside, however the last process ended", arguments: [false, true])
    func whole(endsWell: Bool) async throws {
        try await fill(endsWell: endsWell)
        let library = try LibraryFixture(in: folder).library
        #expect(library.setAside == nil)
        #expect(try await library.status().photos[.pending] == 300)
        #expect(try await !library.needsRebuilding())
    }

    @Test(
        "What the disk refuses for a while waits, is told when it begins and when it is over, and loses nothing",
        .timeLimit(.minutes(1)))
    func patience() async throws {
        let fixture = try LibraryFixture(in: folder)
        let (told, teller) = AsyncStream.makeStream(of: String?.self)
        fixture.library.watchDisk { teller.yield($0) }
        let other = try otherConnection()
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        async let waiting = fixture.arrive("a")
        var news = told.makeAsyncIterator()
        let trouble = try #require(await news.next())
        #expect(trouble?.hasPrefix("the Library cannot be used just now: ") == true)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await waiting == 1)
        #expect(try #require(await news.next()) == nil)
    }

    @Test("When there is no time left, the disk's trouble is an error", .timeLimit(.minutes(1)))
    func impatience() async throws {
        let fixture = try LibraryFixture(in: folder)
        let other = try otherConnection()
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        fixture.library.endPatience()
        await #expect(throws: DatabaseError.self) { try await fixture.arrive("a") }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }
}
