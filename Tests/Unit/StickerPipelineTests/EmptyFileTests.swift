import Foundation
import PackLedger
import PhotoRule
import Processing
import SystemPackage
import Testing
import TestSupport

@Suite("Empty files", .timeLimit(.minutes(1)))
struct EmptyFileTests {
    @Test(
        "An empty file fails and stays in the inbox, and its sticker is made once it is written",
        arguments: [OriginalsMode.keep, .archive, .delete])
    func stays(mode: OriginalsMode) async throws {
        let originals = OriginalsFixture()
        let fixture = originals.pipeline
        try fixture.write([], to: "a.png")
        // The writer keeps it open.
        let file = try FileDescriptor.open(fixture.folder["inbox/a.png"], .writeOnly)
        try await fixture.arrive("a.png")
        try await fixture.processing(originals: mode) { processor async throws in
            try await fixture.drain(processor)
            let failed = try await fixture.library.summary(ofPack: "", listed: 9).failed
            #expect(failed.map(\.reason) == ["the file is empty"])
            try await originals.carryOut()
            #expect(fixture.folder.exists("inbox/a.png"))
            try file.writeAll(try PipelineFixture.photo())
            try file.close()
            try await fixture.arrive("a.png")
            try await fixture.drain(processor)
        }
        #expect(try await fixture.count(.done) == 1)
    }
}
