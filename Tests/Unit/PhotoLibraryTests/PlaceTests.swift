import FileNames
import Foundation
import LibraryCommands
import LinuxIO
import PhotoLibrary
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("The identities of the inbox and of the Library")
struct PlaceTests {
    private let fixture = LibraryFixture()
    private let place = DirectoryIdentity(device: 1, inode: 2, fileSystem: .max)

    private func devices() async throws -> Set<UInt64> {
        Set(try await fixture.library.known(inFolder: nil).values.map(\.device))
    }

    @Test("The inbox's identity is stored for its path, even with the largest numbers")
    func remembered() async throws {
        #expect(try await fixture.library.inboxPlace(at: "/inbox") == nil)
        try await fixture.library.recordInbox(place, at: "/inbox", renumbered: [], isAnother: false)
        #expect(try await fixture.library.inboxPlace(at: "/inbox") == place)
        #expect(try await fixture.library.inboxPlace(at: "/other") == nil)
        #expect(Library.hasInbox(at: "/inbox", in: fixture.folder.path))
        #expect(!Library.hasInbox(at: "/other", in: fixture.folder.path))
    }

    @Test("Files on a disk whose device number changed are known under the new number")
    func renumbered() async throws {
        try await fixture.arrive("a")
        let moved = DirectoryIdentity(device: 9, inode: 2, fileSystem: .max)
        try await fixture.library.recordInbox(moved, at: "/inbox", renumbered: [1], isAnother: false)
        #expect(try await devices() == [9])
        let identity = try #require(try await fixture.library.known(inFolder: nil)[LibraryFixture.path("a")])
        let arrival = Arrival(path: LibraryFixture.path("a"), identity: identity, verdict: .ready)
        #expect(try await fixture.library.record([arrival]) == 0)
    }

    @Test("Files of a former inbox are elsewhere; a photo of the same name does not replace their stickers")
    func another() async throws {
        fixture.library.adopt(.withdraw)
        try await fixture.make(["a": "p"])
        try await fixture.library.recordInbox(place, at: "/inbox", renumbered: [], isAnother: true)
        #expect(try await devices().isEmpty)
        let library = try LibraryInspection(of: fixture.folder.path)
        #expect(library.files[LibraryFixture.path("a")] == nil)
        try await fixture.arrive("a", version: 2)
        try await fixture.makeSticker(fixture.next(), photo: "q")
        #expect(try await fixture.library.stickerRecords(ofPack: "").map(\.photo) == ["p", "q"])
    }

    @Test("A sticker that is missing while the inbox is moved to another disk keeps its name and its place")
    func copied() async throws {
        fixture.library.adopt(.withdraw)
        try await fixture.make(["a": "p", "b": "q", "c": "r"])
        try await fixture.library.recordInbox(place, at: "/inbox", renumbered: [], isAnother: true)
        #expect(try await fixture.library.remake(["q.png"], inPack: "") == 0)
        for name in ["a", "b", "c"] {
            #expect(try await fixture.library.record([LibraryFixture.arrival(name, inode: 9)]) == 1)
            #expect(try await fixture.withdrawn().isEmpty)
        }
        for photo in ["p", "q", "r"] { try await fixture.makeSticker(fixture.next(), photo: photo) }
        #expect(try await fixture.stickers() == ["p", "q", "r"])
    }

    @Test("What was to be moved out of a former inbox is tried no more; what was moved out of it stays known")
    func movedOut() async throws {
        try await fixture.arrive("failed")
        try await fixture.library.finish(fixture.next(), as: .unreadable(reason: "too large"), originals: .archive)
        try await fixture.archive()
        try await fixture.make(["a": "p"], originals: .archive)
        try await fixture.library.recordInbox(place, at: "/inbox", renumbered: [], isAnother: true)
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 9).isEmpty)
        let retry = try Library.requestRetry(in: fixture.folder.path, of: nil)
        #expect(retry.toPutBack.map(\.from) == ["/archive/failed"])
    }

    @Test("A Library has one identity, from its first outbox on")
    func outbox() async throws {
        let known = try await fixture.library.knownOutbox()
        #expect(known.library == nil && known.isUnused)
        #expect(!Library.hasUsedOutbox("/outbox", in: fixture.folder.path))
        let first = UUID()
        #expect(try await fixture.library.identify(as: first) == first)
        #expect(try await fixture.library.identify(as: UUID()) == first)
        #expect(try await fixture.library.knownOutbox().library == first)
        #expect(Library.hasUsedOutbox("/outbox", in: fixture.folder.path))
        #expect(!Library.hasUsedOutbox("/other", in: fixture.folder.path))
        #expect(!Library.hasUsedOutbox("/outbox", in: "/nothing"))
    }

    @Test(
        "At another path, a folder is the outbox if it has the Library's marker, or an empty one",
        arguments: [true, false])
    func moved(isOwn: Bool) async throws {
        let folder = try await closed()
        let text = OutboxMarker(library: Self.identity, owner: "").text
        try folder.write(isOwn ? text : [], to: "disk/.stickerd")
        _ = try Library(in: folder.path, outbox: folder["disk"].string)
    }

    @Test(
        "At another path, a folder without a marker, or with another Library's, is refused, with the command that accepts it"
    )
    func refused() async throws {
        let folder = try await closed()
        try folder.makeFolder("disk")
        for (text, reason) in [(nil, "does not have its stickers"), (UUID(), "belongs to another Library (daemon 2)")] {
            if let text { try folder.write(OutboxMarker(library: text, owner: "daemon 2").text, to: "disk/.stickerd") }
            let error = #expect(throws: LibraryError.self) {
                try Library(in: folder.path, outbox: folder["disk"].string)
            }
            #expect(error?.code == .otherOutbox)
            let message = try #require(error?.description)
            #expect(
                message.contains(
                    "\(folder.path): this Library belongs to the outbox /outbox, and \(folder["disk"]) \(reason);"))
            #expect(message.hasSuffix("run: truncate -s 0 '\(folder["disk/.stickerd"])'"))
        }
    }

    private static let identity = UUID()

    /// The state folder of a closed Library with a sticker in /outbox.
    private func closed() async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let other = try LibraryFixture(in: folder)
        try await other.arrive("a")
        try await other.makeSticker(try await other.next(), photo: "p")
        _ = try await other.library.identify(as: Self.identity)
        try other.library.close()
        return folder
    }
}
