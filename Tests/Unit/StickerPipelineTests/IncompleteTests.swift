import Conditions
import Foundation
import PhotoRule
import Processing
import SystemPackage
import Testing
import TestSupport

@Suite("Photos whose files end early", .timeLimit(.minutes(1)))
struct IncompleteTests {
    private let originals = OriginalsFixture()
    private var fixture: PipelineFixture { originals.pipeline }

    private func settings(_ mode: OriginalsMode) -> ProcessorSettings {
        var settings = PipelineFixture.settings
        (settings.originals, settings.incompleteTime) = (mode, .seconds(60))
        return settings
    }

    private func processing(_ mode: OriginalsMode, _ body: (Processor) async throws -> Void) async throws {
        try await fixture.processing { processor async throws in
            try await processor.update(settings(mode))
            try await body(processor)
        }
    }

    private var isWaiting: Bool {
        get async throws {
            let isPending = try await fixture.count(.pending) == 1
            return isPending && fixture.conditions.reasons.contains { $0.contains("a.png: the file ends early") }
        }
    }

    @Test("It waits, and becomes a sticker when its rest arrives", arguments: OriginalsMode.allCases)
    func resumed(mode: OriginalsMode) async throws {
        let half = Array(originals.photo.prefix(originals.photo.count / 2))
        try await originals.drop([("a.png", half)])
        try await processing(mode) { processor async throws in
            processor.wake()
            #expect(try await eventually { try await isWaiting })
            try fixture.write(originals.photo, to: "a.png")
            try await fixture.arrive("a.png")
            processor.wake()
            // Without waiting for the time to pass.
            #expect(try await eventually { try await fixture.count(.done) == 1 })
            #expect(try await eventually { fixture.conditions.reasons.isEmpty })
        }
        try await originals.carryOut()
        #expect(try originals.files(fixture.folder["failed"]).isEmpty)
    }

    @Test("It fails once it has been unchanged for the time")
    func abandoned() async throws {
        let half = Array(originals.photo.prefix(originals.photo.count / 2))
        try await originals.drop([("a.png", half), ("b.png", originals.photo)])
        try await processing(.archive) { processor async throws in
            processor.wake()
            // Others do not wait for it.
            #expect(try await eventually { try await fixture.count(.done) == 1 })
            #expect(try await eventually { try await isWaiting })
            try await fixture.list()
            try await originals.carryOut()
            #expect(try originals.files(fixture.folder["inbox"]) == ["a.png": half])
            #expect(try await fixture.eventually { try await fixture.count(.failed) == 1 })
            #expect(try await eventually { fixture.conditions.reasons.isEmpty })
        }
        try await originals.carryOut()
        #expect(try originals.files(fixture.folder["failed"]).keys.sorted() == ["a.png", "a.png.reason.txt"])
    }

    @Test("A file that is damaged otherwise fails at once")
    func damaged() async throws {
        var damaged = originals.photo
        for index in damaged.count / 2..<damaged.count / 2 + 40 { damaged[index] ^= 0x55 }
        try await originals.drop([("a.png", damaged), ("b.gif", PipelineFixture.noPhoto)])
        try await processing(.archive) { processor async throws in
            processor.wake()
            #expect(try await eventually { try await fixture.count(.failed) == 2 })
        }
    }
}
