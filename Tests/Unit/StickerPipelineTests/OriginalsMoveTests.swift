import Conditions
import Foundation
import LibraryCommands
import LinuxIO
import PhotoLibrary
import PhotoRule
import Processing
import SystemPackage
import Testing
import TestSupport

@Suite("Moving originals out of the inbox", .timeLimit(.minutes(1)))
struct OriginalsMoveTests {
    private let originals = OriginalsFixture()
    private var fixture: PipelineFixture { originals.pipeline }
    private var photo: [UInt8] { originals.photo }
    private var flat: [UInt8] { originals.flat }

    /// A file system other than that of temporary folders, if there is one.
    private static let elsewhere: FilePath = "/dev/shm"
    private static let hasTwoFileSystems: Bool = {
        let here = try? FileStatus(of: FilePath(FileManager.default.temporaryDirectory.path)).identity.device
        let there = try? FileStatus(of: elsewhere).identity.device
        return here != nil && there != nil && here != there
    }()

    @Test("A photo moved by Originals does not count as removed")
    func forgotten() async throws {
        try await originals.drop([("a.png", photo), ("text.jpg", PipelineFixture.noPhoto)])
        try await originals.process(.archive)
        try await fixture.library.forget([PipelineFixture.path("a.png"), PipelineFixture.path("text.jpg")])
        try await originals.carryOut()
        #expect(try await fixture.count(.done) == 1)
        #expect(try await fixture.count(.failed) == 1)
        #expect(try await fixture.library.known(inFolder: nil).isEmpty)
    }

    /// Of a move, in this order.
    enum Step: CaseIterable { case intent, target, reservedName, move }

    @Test("The next start completes a move that a crash interrupted", arguments: Step.allCases)
    func crashed(after step: Step) async throws {
        try await originals.drop([("a.png", photo)])
        try await originals.process(.archive)
        let target = fixture.folder["archive/today/a.png"]
        try originals.make(target.removingLastComponent())
        let due = try #require(try await fixture.library.dueOriginals(in: .max, limit: 1).first)
        if step != .intent { #expect(try await fixture.library.recordTarget(target, for: due)) }
        if step == .reservedName { try fixture.folder.write([], to: "archive/today/a.png") }
        if step == .move { try fixture.folder.rename("inbox/a.png", to: "archive/today/a.png") }
        try await originals.carryOut()
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty)
        #expect(try originals.files(fixture.folder["archive"]) == ["today/a.png": photo])
        // Under the recorded name, where the Library knows it.
        #expect(fixture.folder.bytes(of: "archive/today/a.png") == (step == .intent ? nil : photo))
        #expect(try Library.requestRemake(in: fixture.library.folder, otherThan: nil).photos == 1)
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 1).isEmpty)
    }

    @Test(
        "The next start completes an interrupted removal, or restores a file unknown to the Library, but none in a snapshot",
        arguments: [true, false])
    func crashedAside(isKnown: Bool) async throws {
        try await originals.drop([("Cats/a.png", photo)])
        try await originals.process(.delete)
        let due = try #require(try await fixture.library.dueOriginals(in: .max, limit: 1).first)
        let name = isKnown ? due.asideName : AtomicFile.asideName("77-88")
        let aside = fixture.folder["inbox/Cats"].appending(String(decoding: name, as: UTF8.self))
        try FileManager.default.moveItem(atPath: fixture.folder["inbox/Cats/a.png"].string, toPath: aside.string)
        let snapshot = "#snapshot/" + String(decoding: AtomicFile.asideName("99-1"), as: UTF8.self)
        try fixture.folder.write(photo, to: "inbox/\(snapshot)")
        try await fixture.library.recordInbox(
            try DirectoryIdentity(of: fixture.folder["inbox"]), at: fixture.folder["inbox"], renumbered: [],
            isAnother: false)
        let mover = try originals.originals()
        async let end: Void = mover.run()
        let left = (isKnown ? [:] : ["Cats/recovered-77-88": photo]).merging([snapshot: photo]) { $1 }
        #expect(try await fixture.eventually { try originals.files(fixture.folder["inbox"]) == left })
        mover.stop()
        try await end
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 1).isEmpty)
    }

    @Test("The sticker of a photo that was deleted before a crash stays; that of one that others deleted goes")
    func crashedAfterRemoval() async throws {
        fixture.library.adopt(.withdraw)
        for isBegun in [true, false] {
            try await originals.drop([("a.png", try PipelineFixture.photo(red: isBegun ? 150 : 180))])
            try await originals.process(.delete)
            let due = try #require(try await fixture.library.dueOriginals(in: .max, limit: 1).first)
            if isBegun { #expect(try await fixture.library.recordTarget(nil, for: due)) }
            try fixture.folder.remove("inbox/a.png")
            try await originals.carryOut()
            #expect(try await fixture.library.status().stickers == 1)
        }
    }

    @Test("The sticker of a photo that was archived before a crash, and taken from the archive after it, stays")
    func takenAfterCrash() async throws {
        fixture.library.adopt(.withdraw)
        try await originals.drop([("a.png", photo)])
        try await originals.process(.archive)
        let due = try #require(try await fixture.library.dueOriginals(in: .max, limit: 1).first)
        #expect(try await fixture.library.recordTarget(fixture.folder["archive/a.png"], for: due))
        try fixture.folder.remove("inbox/a.png")
        try await originals.carryOut()
        #expect(try await fixture.library.status().stickers == 1)
    }

    @Test("A file missing while the whole inbox is read is not gone: it may be found under another name")
    func missed() async throws {
        try await originals.drop([("a.png", photo)])
        try await originals.process(.archive)
        try fixture.folder.remove("inbox/a.png")
        for isScanning in [true, false] {
            fixture.conditions.isScanning = isScanning
            try await originals.carryOut()
            #expect(try await fixture.library.dueOriginals(in: .max, limit: 1).count == (isScanning ? 1 : 0))
        }
    }

    @Test("A file missing from an empty mount point is not gone")
    func away() async throws {
        let inbox = fixture.folder["inbox"]
        let mounted = fixture.folder["mounted"]
        try await fixture.library.recordInbox(
            try DirectoryIdentity(of: inbox), at: inbox, renumbered: [], isAnother: false)
        try await originals.drop([("a.png", photo)])
        try await originals.process(.archive)
        try FileManager.default.moveItem(atPath: inbox.string, toPath: mounted.string)
        try originals.make(inbox)
        try await originals.carryOut()
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 1).count == 1)
        try FileManager.default.removeItem(atPath: inbox.string)
        try FileManager.default.moveItem(atPath: mounted.string, toPath: inbox.string)
        try await originals.carryOut()
        #expect(try originals.files(fixture.folder["archive"]) == ["today/a.png": photo])
    }

    @Test(
        "No original is moved below a mount point without its disk", arguments: [OriginalsMode.archive, .delete],
        [true, false])
    func receiverAway(mode: OriginalsMode, isMountPointLeft: Bool) async throws {
        let disk = DirectoryIdentity(device: 1, inode: 2, fileSystem: 3)
        let name = mode == .archive ? "archive" : "failed"
        try await originals.drop([("a.png", flat)])
        try await originals.work(mode)
        let moved = try originals.files(fixture.folder[name])
        try await fixture.library.rememberReceiver(fixture.folder[name], at: disk)
        try fixture.folder.rename(name, to: "disk")
        if isMountPointLeft { try originals.make(fixture.folder[name]) }
        try await originals.drop([("b.png", try PipelineFixture.photo(red: 150)), ("b.gif", PipelineFixture.noPhoto)])
        try await originals.work(mode)
        let waits = mode == .archive ? "b.png" : "b.gif"
        #expect(try originals.files(fixture.folder["inbox"])[waits] != nil)
        #expect(fixture.conditions.reasons.contains { $0.contains("mount that disk or restore the folder") })
        if isMountPointLeft { #expect(try originals.files(fixture.folder[name]).isEmpty) }
        // It is recognized by its files: the file system is another one than before.
        if isMountPointLeft { try FileManager.default.removeItem(atPath: fixture.folder[name].string) }
        try fixture.folder.rename("disk", to: name)
        try await originals.carryOut()
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty)
        #expect(try originals.files(fixture.folder[name]).count > moved.count)
    }

    @Test("An original that cannot be moved is logged once and retried")
    func refused() async throws {
        try await originals.drop([("a.png", photo), ("b.png", try PipelineFixture.photo(red: 150))])
        try await originals.process(.archive)
        try fixture.folder.remove("archive")
        try fixture.folder.write([1], to: "archive")
        let mover = try originals.originals()
        async let end: Void = mover.run()
        let refusal = "a.png cannot be moved to \(fixture.folder["archive"]): "
        #expect(try await fixture.eventually { fixture.log.said.contains { $0.contains(refusal) } })
        #expect(fixture.conditions.reasons.count == 1)
        #expect(try originals.files(fixture.folder["inbox"]).count == 2)
        // Without the inbox, nothing can be said of that.
        fixture.conditions.begin(.inboxAway, because: "away")
        let later = fixture.clock.now + .seconds(130)
        try await fixture.until { fixture.clock.now > later }
        #expect(fixture.conditions.has(.originals))
        fixture.conditions.end(.inboxAway)
        try fixture.folder.remove("archive")
        try originals.make(fixture.folder["archive"])
        #expect(try await fixture.eventually { try originals.files(fixture.folder["inbox"]).isEmpty })
        #expect(try await fixture.eventually { fixture.conditions.reasons.isEmpty })
        mover.stop()
        try await end
        #expect(fixture.log.said.filter { $0.contains("cannot be moved") }.count == 1)
    }

    @Test(
        "Across file systems the original is removed only after its copy is complete, even if a crash comes between",
        .enabled(if: hasTwoFileSystems), arguments: [false, true])
    func elsewhere(crashed: Bool) async throws {
        let archive = Self.elsewhere.appending("stickerd-test-\(UUID().uuidString)")
        try originals.make(archive)
        defer { try? FileManager.default.removeItem(atPath: archive.string) }
        try await originals.drop([("a.png", photo)])
        let source = fixture.folder["inbox/a.png"]
        let before = try FileStatus(of: source).identity
        try await originals.process(.archive)
        if crashed {
            let due = try #require(try await fixture.library.dueOriginals(in: .max, limit: 1).first)
            try originals.make(archive.appending("today"))
            _ = try await fixture.library.recordTarget(archive.appending("today/a.png"), for: due)
            // The copy has the original's times, as after an interrupted move.
            try FileManager.default.copyItem(atPath: source.string, toPath: archive.appending("today/a.png").string)
            try Data([1]).write(to: URL(fileURLWithPath: archive.appending("today/.stickerd-1f.tmp").string))
        }
        try await originals.carryOut(archive: archive)
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty)
        #expect(try originals.files(archive) == ["today/a.png": photo])
        guard !crashed else { return }
        let path = try #require(try FileManager.default.subpathsOfDirectory(atPath: archive.string).last)
        #expect(try FileStatus(of: archive.appending(path)).identity.modified == before.modified)
    }

    @Test("A file missing from another file system than its own is not gone")
    func anotherDevice() async throws {
        let inbox = fixture.folder["inbox"]
        let place = try DirectoryIdentity(of: inbox)
        try await originals.drop([("Cats/a.png", photo)])
        try await originals.process(.archive)
        // The effect of a disk mounted on the subfolder; the place is recorded for another inbox's path.
        let disk = DirectoryIdentity(device: place.device + 1, inode: place.inode, fileSystem: place.fileSystem)
        try await fixture.library.recordInbox(disk, at: "/another", renumbered: [place.device], isAnother: false)
        try FileManager.default.removeItem(atPath: inbox.appending("Cats").string)
        try await originals.carryOut()
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 1).count == 1)
        try await fixture.library.recordInbox(place, at: "/another", renumbered: [disk.device], isAnother: false)
        try await originals.carryOut()
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 1).isEmpty)
    }

}
