import PackLedger
import Packs
import PhotoColors
import SystemPackage
import Testing
import TestSupport

@Suite("Files of a pack that others remove or change", .timeLimit(.minutes(1)))
struct RestoredFilesTests {
    /// What others do to a file.
    enum Meddling: CaseIterable {
        case remove, change
        /// Size and time stay.
        case changeUnnoticed
    }

    @Test(
        "The next start writes them again with the same bytes, and no others; a reload reads them",
        arguments: Meddling.allCases)
    func restored(after meddling: Meddling) async throws {
        let fixture = PipelineFixture()
        let packs = PackFixture(fixture)
        func write(_ body: (PackWriter) async throws -> Void) async throws {
            try await packs.writing(
                palettes: [.css], gallery: .init(maxArchiveBytes: 1_000_000),
                pageSizes: PageSizes(maxUndivided: 6, maxStickers: 4), body)
        }
        try await packs.make(1...10)
        try await write { _ in try await packs.untilThere("stickers.zip") }
        let before = try packs.files()
        try await write { _ in try await packs.untilWritten() }
        #expect(try packs.files() == before)

        // A new pack.json would have another revision.
        let derived = before.keys.filter { !$0.hasSuffix(".png") && $0 != "pack.json" }.sorted()
        let kinds = Set(derived.compactMap { FilePath($0).extension })
        #expect(kinds == ["css", "html", "js", "json", "zip"] && derived.count == 20)
        for first in 0..<2 {
            let state = try packs.files()
            let changed = derived.enumerated().filter { $0.offset % 2 == first }.map(\.element)
            for name in changed {
                var bytes = try #require(state[name]).bytes
                bytes[bytes.count / 2] ^= 1
                switch meddling {
                case .remove: try fixture.folder.remove("outbox/\(name)")
                case .change: try fixture.folder.write(bytes, to: "outbox/\(name)")
                case .changeUnnoticed: try fixture.folder.rewrite(bytes, to: "outbox/\(name)")
                }
            }
            try await write { writer in
                if meddling == .changeUnnoticed {
                    try await packs.untilWritten()
                    writer.recheck()
                }
                let bytes = before.mapValues(\.bytes)
                try await fixture.until { try packs.files().mapValues(\.bytes) == bytes }
            }
            let after = try packs.files()
            for (name, file) in state where !changed.contains(name) { #expect(after[name] == file, "\(name)") }
        }
    }
}
