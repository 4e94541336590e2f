import Conditions
import Foundation
import Glibc
import LinuxIO
import PhotoFacts
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing
import Workers

@Suite("An unavailable outbox", .timeLimit(.minutes(1)))
struct OutboxAwayTests {
    private let fixture: PipelineFixture

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

    private func unmount(leaving isMountPointLeft: Bool = true) throws {
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
        #expect(try fixture.published().isEmpty)
        try await outboxes[0].publish([1], named: "a.png", inPack: "")
    }

    @Test("The audit finds nothing missing, with or without a mount point", arguments: [true, false])
    func audit(isMountPointLeft: Bool) async throws {
        try await makeFirst()
        let before = try fixture.published()
        try unmount(leaving: isMountPointLeft)
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
        try unmount()
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
        try unmount()
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
        let reader = try InterruptingReader { try unmount() }
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
        try unmount()
        let error = await #expect(throws: OutboxError.self) {
            try await fixture.outbox.publish([1], named: "x.png", inPack: "Cats", under: .thumbnails)
        }
        #expect(error?.isAway == true)
        try mount()
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

    func open(_ claim: Claim, in inbox: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto {
        let photo = try await real.open(claim, in: inbox, maxFileBytes: maxFileBytes)
        do { try await interruption?() } catch { Issue.record(error) }
        interruption = nil
        return photo
    }

    func open(_ path: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto {
        try await real.open(path, maxFileBytes: maxFileBytes)
    }
}
