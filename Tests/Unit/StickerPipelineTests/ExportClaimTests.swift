import LinuxIO
import PackExports
import Testing
import TestSupport

@testable import Exports

@Suite("Folders that stickerd export refuses", .timeLimit(.minutes(1)))
struct ExportClaimTests {
    private let fixture = ExportFixture()

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

    @Test("An export that is refused claims no folder")
    func refused() async throws {
        try fixture.write(["a.png"], publisher: "")
        await #expect(throws: ExportRefusal.self) {
            try await fixture.export(FakeExport(name: "strict", needsPublisher: true))
        }
        #expect(try fixture.files().isEmpty)
        try await fixture.export()
    }

    @Test("A folder to which another export is being written is refused")
    func locked() async throws {
        do {
            let other = try OpenFolder.opened(at: fixture.folder["out"])
            try other.lock()
            let error = await #expect(throws: ExportTrouble.self) { try await fixture.export() }
            #expect(error?.description.contains("another stickerd export") == true)
            withExtendedLifetime(other) {}
        }
        try await fixture.export()
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
