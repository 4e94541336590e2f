import FileNames
import LinuxIO
import PhotoLibrary
import PhotoRule
import TestSupport
import Testing

@Suite("Known files of a folder", .timeLimit(.minutes(1)))
struct KnownFolderTests {
    private static func identity(_ inode: UInt64, size: Int64 = 5) -> FileIdentity {
        FileIdentity(device: 1, inode: inode, size: size, modified: 6, changed: 7)
    }

    /// A Library that knows files with these names in a folder, each with its place in the list as its inode.
    private func known(_ names: [[UInt8]]) async throws -> (Library, KnownFolder, TemporaryFolder) {
        let folder = TemporaryFolder()
        let library = try Library(in: folder.path, outbox: "/outbox")
        let arrivals = names.enumerated().map { number, name in
            Arrival(
                path: InboxPath(bytes: Array("P/Q".utf8)).appending(name), identity: Self.identity(UInt64(number)),
                verdict: .ready)
        }
        _ = try await library.record(
            arrivals + [
                Arrival(path: InboxPath(bytes: Array("P/other".utf8)), identity: Self.identity(99), verdict: .ready)
            ])
        return (library, try await library.knownFolder(InboxPath(bytes: Array("P/Q".utf8))), folder)
    }

    @Test("Names are compared by their bytes, whatever they are")
    func names() async throws {
        let names: [[UInt8]] = [
            Array("a.jpg".utf8), Array("Café.jpg".utf8), Array("Cafe\u{301}.jpg".utf8), [0xFF, 0x2E],
            Array("a\\x41".utf8),
            Array("line\nbreak".utf8), Array(repeating: 0x61, count: 255),
        ]
        var (library, folder, _) = try await known(names)
        #expect(folder.count == names.count)
        for (number, name) in names.enumerated() {
            #expect(folder.find(name, Self.identity(UInt64(number))) == true)
        }
        #expect(folder.missing == [])
        #expect(folder.find(Array("other".utf8), Self.identity(99)) == false)
        #expect(folder.find(Array("aA".utf8), Self.identity(4)) == false)
        try library.close()
    }

    @Test("A file with another identity is changed, and one that was not found is missing")
    func changes() async throws {
        let names = ["same", "larger", "unreadable", "gone"].map { Array($0.utf8) }
        var (library, folder, _) = try await known(names)
        #expect(folder.find(names[0], Self.identity(0)) == true)
        #expect(folder.find(names[1], Self.identity(1, size: 6)) == false)
        #expect(folder.find(names[2], nil) == false)
        let missing = try await library.known(folder.missing)
        #expect(missing == [InboxPath(bytes: Array("P/Q/gone".utf8)): Self.identity(3)])
        try library.close()
    }

    @Test("All files of a large folder are known, however many rows are read at once")
    func many() async throws {
        let names = (0..<12_345).map { Array("photo-\($0).jpg".utf8) }
        var (library, folder, _) = try await known(names)
        #expect(folder.count == names.count)
        for (number, name) in names.enumerated() where number != 7_000 {
            guard !folder.find(name, Self.identity(UInt64(number))) else { continue }
            Issue.record("\(number) is not known")
        }
        #expect(try await library.known(folder.missing).keys.map(\.description) == ["P/Q/photo-7000.jpg"])
        try library.close()
    }

    @Test("A file that permissions keep from being read joins the queue again unchanged; one that is empty does not")
    func forbidden() async throws {
        let fixture = LibraryFixture()
        let path = LibraryFixture.path("A/a")
        for isForbidden in [true, false] {
            #expect(try await fixture.arrive("A/a") == 1)
            let claim = try await fixture.next()
            try await fixture.library.finish(claim, as: .unreadable(reason: "why", isForbidden: isForbidden))
            #expect(try await fixture.count(.failed) == 1)
            let folder = try await fixture.library.knownFolder(LibraryFixture.path("A"))
            #expect(folder.forbidden == (isForbidden ? [path] : []))
        }
        #expect(try await fixture.arrive("A/a") == 0)
    }
}
