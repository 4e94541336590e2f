import Conditions
import Foundation
import PhotoRule
import Processing
import SystemPackage
import Testing
import TestSupport

@Suite("An unavailable inbox", .timeLimit(.minutes(1)))
struct AwayTests {
    private let fixture = PipelineFixture()

    init() throws {
        for (index, name) in ["a.png", "b.png"].enumerated() {
            try fixture.write(try PipelineFixture.photo(red: UInt8(180 + 30 * index)), to: name)
        }
    }

    @Test(
        "A photo that is missing because the inbox just became unavailable keeps its place", arguments: [true, false])
    func wentJustNow(isReplaced: Bool) async throws {
        try await fixture.arrive("a.png")
        try await fixture.processing { processor async throws in
            try await fixture.drain(processor)
            // Nothing is claimed meanwhile.
            fixture.conditions.begin(.inboxAway, because: "away")
            try await fixture.arrive("b.png")
            processor.wake()
            // Returns only after the Processor has handled the wake-up.
            try await processor.update(PipelineFixture.settings)
            #expect(try await fixture.count(.pending) == 1)
            try fixture.folder.rename("inbox", to: "away")
            if isReplaced {
                try fixture.folder.makeFolder("inbox")
            }
            fixture.conditions.end(.inboxAway)
            processor.wake()
            #expect(
                try await eventually {
                    fixture.conditions.reasons.first?.contains("the inbox is unavailable") == true
                })
            // What the Inbox does when it detects this.
            fixture.conditions.begin(.inboxAway, because: "away")
            #expect(try await eventually { try await fixture.count(.pending) == 1 })
            if isReplaced { try fixture.folder.rename("inbox", to: "mount point") }
            try fixture.folder.rename("away", to: "inbox")
            fixture.conditions.end(.inboxAway)
            processor.wake()
            #expect(try await fixture.eventually { try await fixture.count(.done) == 2 })
        }
    }
}
