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
        let fixture = try PipelineFixture()
        let originals = try Originals(
            inbox: fixture.folder["inbox"],
            folders: .init(archive: fixture.folder["archive"], failed: fixture.folder["failed"]),
            isIgnored: { _ in false }, library: fixture.library, outbox: fixture.outbox, conditions: fixture.conditions,
            logger: fixture.logger)
        for name in ["archive", "failed"] { try fixture.folder.write([], to: "\(name)/.made") }
        try fixture.write([], to: "a.png")
        // The writer keeps it open.
        let file = try FileDescriptor.open(fixture.folder["inbox/a.png"], .writeOnly)
        try await fixture.arrive("a.png")
        try await fixture.processing(originals: mode) { processor async throws in
            try await fixture.drain(processor)
            let failed = try await fixture.library.summary(ofPack: "", listed: 9).failed
            #expect(failed.map(\.reason) == ["the file is empty"])
            originals.stop()
            try await originals.run()
            #expect(FileManager.default.fileExists(atPath: fixture.folder["inbox/a.png"].string))
            try file.writeAll(try PipelineFixture.photo())
            try file.close()
            try await fixture.arrive("a.png")
            try await fixture.drain(processor)
        }
        #expect(try await fixture.count(.done) == 1)
    }
}
