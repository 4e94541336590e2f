import Testing
import TestSupport

@testable import Exports

@Suite("Folders that stickerd export refuses", .timeLimit(.minutes(1)))
struct ExportClaimTests {
    private let fixture: ExportFixture

    init() throws { fixture = try ExportFixture() }

    @Test("A folder with another export, or with a pack, is refused and stays as it is")
    func claimed() async throws {
        try fixture.write(["a.png"])
        try await fixture.export()
        let known = try (fixture.files(), fixture.files(in: "pack"))
        await #expect(throws: ExportTrouble.self) { try await fixture.export(FakeExport(name: "other")) }
        await #expect(throws: ExportTrouble.self) {
            try await fixture.exporting().run(fixture.folder["pack"], into: fixture.folder["pack"])
        }
        #expect(try (fixture.files(), fixture.files(in: "pack")) == known)
    }

    @Test("The daemon's folder of a pack's exports is refused")
    func daemonsFolder() async throws {
        try fixture.write(["a.png"])
        try fixture.folder.write([], to: "pack/exports/exports.js")
        await #expect(throws: ExportTrouble.self) {
            try await fixture.exporting().run(fixture.folder["pack"], into: fixture.folder["pack/exports"])
        }
        #expect(try fixture.files(in: "pack/exports").keys.sorted() == ["exports.js"])
    }
}
