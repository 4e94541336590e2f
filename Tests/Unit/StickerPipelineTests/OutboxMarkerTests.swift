import Foundation
import Glibc
import LinuxIO
import Outbox
import PhotoLibrary
import SystemPackage
import Testing
import TestSupport

@Suite("The outbox's marker", .timeLimit(.minutes(1)))
struct OutboxMarkerTests {
    private let fixture = PipelineFixture()
    private let marker = "outbox/.stickerd"

    private func found(in folder: String = "outbox") throws -> OutboxMarker.Found {
        let place = try OwnedDescriptor(opening: fixture.folder[folder], options: .directory)
        return OutboxMarker.Found(in: place.raw)
    }

    private func identity(of library: Library) async throws -> UUID {
        try #require(try await library.knownOutbox().library)
    }

    private func write(_ library: UUID, to name: String) throws {
        try fixture.folder.write(OutboxMarker(library: library, owner: "daemon 2").text, to: name)
    }

    /// Whether the outbox can be used, and is then marked as this Library's.
    private func isMarked() async throws -> Bool {
        try await fixture.outbox.publish([1], named: "x", inPack: "")
        let identity = try await identity(of: fixture.library)
        return try found() == .marker(OutboxMarker(library: identity, owner: "the test"))
    }

    private func refusal(of outbox: OutboxWriter? = nil) async throws -> String {
        let error = await #expect(throws: OutboxError.self) {
            try await (outbox ?? fixture.outbox).publish([1], named: "x", inPack: "")
        }
        let refusal = try #require(error)
        #expect(refusal.isAway)
        return refusal.description
    }

    /// Runs the command with which a message ends.
    private func runCommand(of message: String) throws {
        let command = try #require(message.split(separator: "run: ").last)
        #expect(try run("/bin/sh", ["-c", String(command)]).status == 0)
    }

    /// Another Library, with an outbox at the same place.
    private func another(_ name: String) throws -> (library: Library, outbox: OutboxWriter) {
        try fixture.folder.makeFolder(name)
        let library = try Library(in: fixture.folder[name], outbox: "/outbox")
        return (
            library, try OutboxWriter(folder: fixture.folder["outbox"], library: library, lock: OutboxLock(owner: name))
        )
    }

    @Test("A new outbox gets a marker that only its owner can open, and that says what it is")
    func new() async throws {
        #expect(try found() == .nothing)
        #expect(try await isMarked())
        #expect(try fixture.folder.mode(of: marker) == 0o600)
        let text = try #require(fixture.folder.text(of: marker))
        #expect(text.hasPrefix("stickerd recognizes its outbox by this file. Leave it here.\n"))
    }

    /// What is in the marker's place.
    enum Place: CaseIterable { case nothing, empty, zeros, text, large, own, other, link, folder, fifo }
    /// How many of the latest stickers are in the folder; `none` if there were never any.
    enum Stickers: CaseIterable { case none, most, few }

    private func fill(_ place: Place) throws {
        switch place {
        case .nothing: break
        case .empty: try fixture.folder.write([], to: marker)
        case .zeros: try fixture.folder.write([UInt8](repeating: 0, count: 4096), to: marker)
        case .text: try fixture.folder.write("a", to: marker)
        case .large: try fixture.folder.write([UInt8](repeating: 0xFF, count: 1 << 20), to: marker)
        case .own: try fixture.folder.rename("elsewhere", to: marker)
        case .other: try write(UUID(), to: marker)
        case .link:
            try fixture.folder.link(marker, to: fixture.folder["elsewhere"])
        case .folder: try fixture.folder.makeFolder(marker)
        case .fifo: try fixture.folder.makeFIFO(marker)
        }
    }

    /// Of the three latest stickers, more must be there than are missing. An empty marker is what the command leaves.
    private func refusal(of place: Place, _ stickers: Stickers) -> String? {
        switch place {
        case .own, .empty: nil
        case .other: "the outbox of another Library (daemon 2), not of the one in \(fixture.folder["state"]); "
        case _ where stickers == .few:
            "not the disk the outbox was on; mount that disk, and work resumes; if it is lost, run: "
        case .link, .folder, .fifo:
            "\(fixture.folder[marker]): not a regular file; remove it, and stickerd writes it again"
        default: nil
        }
    }

    @Test(
        """
        A folder is the outbox if it has the Library's marker, or no other and most of the latest stickers; otherwise it \
        is left alone until the command in the message accepts it
        """, arguments: Place.allCases, Stickers.allCases)
    func recognized(place: Place, stickers: Stickers) async throws {
        let packs = PackFixture(fixture)
        if stickers == .none { #expect(try await isMarked()) } else { try await packs.make(1...3) }
        for (name, count) in zip(packs.names().sorted().filter { $0.hasSuffix(".png") }, 1...2)
        where count == 1 || stickers == .few {
            try fixture.folder.rename("outbox/\(name)", to: name)
        }
        try fixture.folder.rename(marker, to: "elsewhere")
        try fill(place)
        if let expected = refusal(of: place, stickers) {
            let before = try found()
            let message = try await refusal()
            #expect(message.contains(expected))
            #expect(try found() == before)
            if before == .obstacle {
                guard stickers != .few else { return }
                try fixture.folder.remove(marker)
            } else {
                try runCommand(of: message)
            }
        }
        #expect(try await isMarked())
        // Its lock excludes others.
        #expect(try await refusal(of: try another("second").outbox).contains("writes to this outbox (the test)"))
    }

    @Test("A new Library takes over the identity in the marker, but not while another process has the lock")
    func adopted() async throws {
        #expect(try await isMarked())
        let second = try another("second")
        #expect(try await refusal(of: second.outbox).contains("another stickerd writes to this outbox (the test)"))
        #expect(try await second.library.knownOutbox().library == nil)
        // The first process no longer has the lock of the file that is there.
        let bytes = try #require(fixture.folder.bytes(of: marker))
        try fixture.folder.remove(marker)
        try fixture.folder.write(bytes, to: marker)
        try await second.outbox.publish([1], named: "x", inPack: "")
        let identity = try await identity(of: fixture.library)
        #expect(try await self.identity(of: second.library) == identity)
        #expect(try await refusal().contains("another stickerd writes to this outbox (second)"))
    }

    @Test("After its marker was removed and another Library has made one, a running daemon writes nothing more")
    func replaced() async throws {
        #expect(try await isMarked())
        try fixture.folder.remove(marker)
        let second = try another("second")
        try await second.outbox.publish([2], named: "x", inPack: "")
        #expect(try await refusal().contains("the outbox of another Library (second)"))
        #expect(try fixture.published()["x"] == [2])
    }

    @Test(
        "If the process dies before it has written the marker, or before the Library has its identity, the next one goes on"
    )
    func interrupted() async throws {
        let identity = UUID()
        _ = try await fixture.library.identify(as: identity)
        try fixture.folder.write([], to: marker)
        #expect(try await isMarked())
        #expect(try await self.identity(of: fixture.library) == identity)
        let second = try another("second")
        try fixture.folder.remove(marker)
        try write(identity, to: marker)
        try await second.outbox.publish([1], named: "x", inPack: "")
        #expect(try await self.identity(of: second.library) == identity)
    }

    @Test(
        "Text that others wrote names no Library",
        arguments: [
            "", "\n", "a\nlibrary \nb\n", "a\nlibrary x\nb\n", "library 3F0C6A38-5C0B-4B43-9A61-0B9F8F3A7B11",
            "a\nlibrary 3F0C6A38-5C0B-4B43-9A61-0B9F8F3A7B1\nb\n", "a\n3F0C6A38-5C0B-4B43-9A61-0B9F8F3A7B11\nb\n",
        ])
    func parsing(text: String) {
        #expect(OutboxMarker(text: text.utf8) == nil)
    }

    @Test("The owner's text is escaped and cut")
    func owner() {
        let marker = OutboxMarker(library: UUID(), owner: "a\u{1b}[2Jb")
        #expect(OutboxMarker(text: marker.text)?.owner == "a\\x1b[2Jb")
        let long = OutboxMarker(library: UUID(), owner: String(repeating: "x", count: 9000))
        #expect(OutboxMarker(text: long.text)?.library == long.library)
        #expect(long.text.count <= FileLock.maxTextBytes)
    }
}
