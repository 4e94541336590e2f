import Foundation
import Glibc
import LinuxIO
import PhotoFacts
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("An unavailable outbox", .timeLimit(.minutes(1)))
struct OutboxAwayTests {
    private let fixture: PipelineFixture

    /// On a file system that this machine does not have: the Library takes the existing folder for another one.
    private static let disk = DirectoryIdentity(device: 1, inode: 2, fileSystem: 3)

    init() throws {
        fixture = try PipelineFixture()
        for (index, name) in ["a.png", "b.png"].enumerated() {
            try fixture.write(try PipelineFixture.photo(red: UInt8(180 + 30 * index)), to: name)
        }
    }

    private func rename(_ from: String, _ to: String) throws {
        // The strings outlive the call.
        _ = try Errno.retry { unsafe Glibc.rename(fixture.folder[from].string, fixture.folder[to].string) }
    }

    private func unmount(leaving isMountPointLeft: Bool = true) async throws {
        try await fixture.library.rememberOutbox(at: Self.disk)
        try rename("outbox", "disk")
        guard isMountPointLeft else { return }
        try FileManager.default.createDirectory(
            atPath: fixture.folder["outbox"].string, withIntermediateDirectories: true)
    }

    /// Checks that nothing was written to the mount point.
    private func mount() throws {
        if FileManager.default.fileExists(atPath: fixture.folder["outbox"].string) {
            try rename("outbox", "mount point")
            let hidden = try FileManager.default.contentsOfDirectory(atPath: fixture.folder["mount point"].string)
            #expect(hidden.isEmpty)
        }
        try rename("disk", "outbox")
    }

    private func said(_ text: String) -> Int { fixture.log.said.filter { $0.contains(text) }.count }

    private func makeFirst() async throws {
        try await fixture.arrive("a.png")
        try await fixture.processing { try await fixture.drain($0) }
        try await PackFixture(fixture).writing()
    }

    @Test("Only one process writes to an outbox, and the message names the other one")
    func owned() async throws {
        let outboxes = try ["first", "second"].map { name in
            try Outbox(folder: fixture.folder["outbox"], library: fixture.library, lock: OutboxLock(owner: name))
        }
        try await outboxes[0].requireOwnership()
        let error = await #expect(throws: OutboxError.self) { try await outboxes[1].requireOwnership() }
        #expect(error?.description.contains("another stickerd writes to this outbox (first); stop it") == true)
        await #expect(throws: OutboxError.self) { try await outboxes[1].publish([1], named: "a.png", inPack: "") }
        #expect(try fixture.published().keys.filter { $0 != ".stickerd.lock" }.isEmpty)
        try await outboxes[0].publish([1], named: "a.png", inPack: "")
    }

    @Test("The audit finds nothing missing, with or without a mount point", arguments: [true, false])
    func audit(isMountPointLeft: Bool) async throws {
        try await makeFirst()
        let before = try fixture.published()
        try await unmount(leaving: isMountPointLeft)
        let error = await #expect(throws: OutboxError.self) {
            _ = try await fixture.outbox.audit { Issue.record($0) }
        }
        #expect(error?.isAway == true)
        #expect(error?.description.contains("and work resumes") == true)
        #expect(try await fixture.library.stickerRecords(ofPack: "").count == 1)
        try mount()
        #expect(try await fixture.outbox.audit { Issue.record($0) } == 0)
        #expect(try fixture.published() == before)
    }

    @Test("While the outbox is unavailable no pack is written or withdrawn, and the index is unchanged")
    func packs() async throws {
        try await makeFirst()
        let before = try fixture.published()
        try await unmount()
        fixture.library.giveBack(changedPacks: [""])
        try await PackFixture(fixture).writing()
        #expect(said("Cannot write") == 0)
        try mount()
        #expect(try fixture.published() == before)
        #expect(fixture.library.takeChangedPacks() == [""])
    }

    @Test("While the outbox is unavailable nothing is claimed; the beginning and the end are logged once")
    func waiting() async throws {
        try await makeFirst()
        try await unmount()
        try await fixture.arrive("b.png")
        try await fixture.processing { processor async throws in
            processor.wake()
            #expect(
                try await eventually {
                    fixture.conditions.reasons.first?.contains("not the disk the outbox was on") == true
                })
            #expect(try await fixture.count(.pending) == 1)
            try mount()
            #expect(try await fixture.eventually { try await fixture.count(.done) == 2 })
        }
        #expect(fixture.conditions.reasons.isEmpty)
        #expect(said("Outbox unavailable") == 1)
        #expect(said("work-paused") == 1 && said("work-resumed") == 1)
        #expect(said("Outbox available again") == 1)
        #expect(try fixture.published().count { $0.key.hasSuffix(".png") } == 2)
    }

    @Test("A photo in progress keeps its place, and its original stays")
    func inProgress() async throws {
        try await makeFirst()
        try await fixture.arrive("b.png")
        let reader = try InterruptingReader { try await unmount() }
        try await fixture.processing(reader: reader, originals: .delete) { processor async throws in
            processor.wake()
            #expect(try await eventually { said("Outbox unavailable") == 1 })
            #expect(try await eventually { try await fixture.count(.pending) == 1 })
            #expect(try await fixture.library.dueOriginals(in: .max, limit: 9).isEmpty)
            try mount()
            #expect(try await fixture.eventually { try await fixture.count(.done) == 2 })
        }
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 9).count == 1)
        #expect(try fixture.published().count { $0.key.hasSuffix(".png") } == 2)
    }

    @Test("Nothing is written to the mount point")
    func direct() async throws {
        try await makeFirst()
        try await unmount()
        let error = await #expect(throws: OutboxError.self) {
            try await fixture.outbox.publish([1], named: "x.png", inPack: "Cats", under: .thumbnails)
        }
        #expect(error?.isAway == true)
        try mount()
    }

    @Test("A folder on another disk is the outbox only if it has most of the stickers")
    func moved() async throws {
        let packs = PackFixture(fixture)
        try await fixture.arrive("1.png", "2.png", "3.png")
        try await packs.finishAll(["1.png", "2.png", "3.png"])
        try await packs.writing()
        let files = try await fixture.library.stickerRecords(ofPack: "").map(\.file)
        try await fixture.library.rememberOutbox(at: Self.disk)
        for file in files.prefix(2) { try rename("outbox/\(file)", file) }
        let error = await #expect(throws: OutboxError.self) {
            _ = try await fixture.outbox.audit { Issue.record($0) }
        }
        #expect(error?.isAway == true)
        #expect(try await fixture.library.outboxPlace() == Self.disk)
        try rename(files[0], "outbox/\(files[0])")
        // The third is remade if its photo exists.
        _ = try await fixture.outbox.audit { Issue.record($0) }
        #expect(try await fixture.library.outboxPlace() == DirectoryIdentity(of: fixture.folder["outbox"]))
        #expect(try await fixture.library.stickerRecords(ofPack: "").count == 2)
    }

    @Test("A Library of an older release, without the outbox's place, recognizes it by its stickers")
    func unknown() async throws {
        let digest = try ContentDigest.sha256(of: [1, 2, 3]).hex
        let sticker = StickerRecord(
            StickerFacts(width: 9, height: 7, confidence: 0.75), pack: "", photo: "p", file: "a.png", bytes: 3,
            sha256: digest, recipe: PhotoLibrary.unknownRecipe)
        let found = PhotoLibrary.FoundSticker(sticker, colors: nil, subjectColors: nil)
        _ = try await fixture.library.beginTakeOver(ofPack: "", folder: "", count: 1, removed: [])
        _ = try await fixture.library.takeOver(
            [(.init(sticker), found)], inPack: "", from: -1, overrules: true)
        let error = await #expect(throws: OutboxError.self) {
            _ = try await fixture.outbox.audit { Issue.record($0) }
        }
        #expect(error?.isAway == true)
        #expect(try await fixture.library.outboxPlace() == nil)
        try fixture.folder.write([1, 2, 3], to: "outbox/a.png")
        #expect(try await fixture.outbox.audit { Issue.record($0) } == 0)
        #expect(try await fixture.library.outboxPlace() == DirectoryIdentity(of: fixture.folder["outbox"]))
    }

    @Test("Before the first sticker, any folder may be the outbox")
    func unused() async throws {
        try await fixture.library.rememberOutbox(at: Self.disk)
        try await PackFixture(fixture).writing()
        #expect(try fixture.published().keys.contains("pack.json"))
        #expect(try await fixture.library.outboxPlace() == DirectoryIdentity(of: fixture.folder["outbox"]))
    }
}

/// Opens photos like the real reader, and runs a closure once the first is open.
private actor InterruptingReader: PhotoOpening {
    private let real: PhotoReader
    private var interruption: (@Sendable () async throws -> Void)?

    init(_ interruption: @escaping @Sendable () async throws -> Void) throws {
        real = try PhotoReader()
        self.interruption = interruption
    }

    nonisolated var partsRead: Int { real.partsRead }

    func open(
        _ claim: Claim, in inbox: FilePath, maxFileBytes: Int, opened: @Sendable (PhotoFile) -> Void
    ) async throws(PhotoReadError) -> OpenPhoto {
        let photo = try await real.open(claim, in: inbox, maxFileBytes: maxFileBytes, opened: opened)
        do { try await interruption?() } catch { Issue.record(error) }
        interruption = nil
        return photo
    }

    func open(_ path: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto {
        try await real.open(path, maxFileBytes: maxFileBytes)
    }
}
