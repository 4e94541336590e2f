import Conditions
import FileNames
import Foundation
import Outbox
import PhotoLibrary
import PhotoRule
import Processing
import SystemPackage
import Testing
import TestSupport

@Suite("An unavailable outbox", .timeLimit(.minutes(1)))
struct OutboxAwayTests {
    private let fixture = PipelineFixture()

    init() throws {
        for (index, name) in ["a.png", "b.png"].enumerated() {
            try fixture.write(try PipelineFixture.photo(red: UInt8(180 + 30 * index)), to: name)
        }
    }

    private func unmount(leaving isMountPointLeft: Bool = true) throws {
        try fixture.folder.rename("outbox", to: "disk")
        guard isMountPointLeft else { return }
        try fixture.folder.makeFolder("outbox")
    }

    /// Checks that nothing was written to the mount point.
    private func mount() throws {
        if fixture.folder.exists("outbox") {
            try fixture.folder.rename("outbox", to: "mount point")
            #expect(try fixture.folder.names(in: "mount point").isEmpty)
        }
        try fixture.folder.rename("disk", to: "outbox")
    }

    private func said(_ text: String) -> Int { fixture.log.said.filter { $0.contains(text) }.count }

    private func makeFirst() async throws {
        try await fixture.arrive("a.png")
        try await fixture.processing { try await fixture.drain($0) }
        try await PackFixture(fixture).writing()
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
        #expect(try await fixture.outbox.audit { Issue.record($0) }.remade == 0)
        #expect(try fixture.published() == before)
    }

    @Test("An outbox that is there, but cannot be opened, is not called missing")
    func closed() async throws {
        try await makeFirst()
        try unmount(leaving: false)
        try fixture.folder.write("a file", to: "outbox")
        let error = await #expect(throws: OutboxError.self) {
            _ = try await fixture.outbox.audit { Issue.record($0) }
        }
        #expect(error?.description.contains("the outbox cannot be opened (Not a directory); ") == true)
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
        let reader = try HookedReader { _, count in if count == 1 { try unmount() } }
        try await fixture.processing(reader: reader, originals: .delete) { processor async throws in
            processor.wake()
            #expect(try await eventually { said("Outbox unavailable") == 1 })
            #expect(try await eventually { try await fixture.count(.pending) == 1 })
            #expect(try await fixture.library.dueOriginals(in: .max, limit: 9).isEmpty)
            try mount()
            #expect(try await fixture.eventually { try await fixture.count(.done) == 2 })
        }
        try await fixture.list()
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 9).count == 1)
        #expect(try fixture.published().count { $0.key.hasSuffix(".png") } == 2)
    }
}
