import Foundation
import LinuxIO
import SystemPackage
import Testing
import TestSupport

@testable import Exports

@Suite("Removed stickers in exports that wait", .timeLimit(.minutes(1)))
struct ExportWithdrawalTests {
    private let fixture = ExportFixture()

    enum Obstacle: CaseIterable {
        case names, foreignFile, noWorker, noRoom
    }

    @Test("A removed sticker disappears although the export cannot be written", arguments: Obstacle.allCases)
    func removed(_ obstacle: Obstacle) async throws {
        _ = try await update()
        try fixture.write(["s0.png", "s2.png", "s3.png"])
        try hinder(obstacle)
        let trouble = await troubles(room: obstacle == .noRoom ? .max : 0)
        #expect(!trouble.isEmpty)
        let files = try fixture.files(in: "pack/exports")
        let left = files.keys.filter { $0.hasPrefix("fake/") && $0 != "fake/mine.txt" }.sorted()
        #expect(left == ["fake/files.txt", "fake/pictures/c0.png", "fake/pictures/c2.png"])
        #expect(try texts(of: files).allSatisfy { !$0.contains("s1.png") })
        let script = try #require(fixture.contents("pack/exports/exports.js"))
        #expect(script.contains("withheld") && !script.contains("all.zip"))
        // Pages may be public.
        #expect(!script.replacing("\\/", with: "/").contains(fixture.folder.path.string))
    }

    @Test("An export that waits keeps its files while no sticker is removed", arguments: Obstacle.allCases)
    func kept(_ obstacle: Obstacle) async throws {
        _ = try await update()
        let before = try fixture.files(in: "pack/exports").keys.filter { $0.hasPrefix("fake/") }
        try fixture.write(["s0.png", "s1.png", "s2.png", "s3.png"])
        try hinder(obstacle)
        #expect(await !troubles(room: obstacle == .noRoom ? .max : 0).isEmpty)
        let after = Set(try fixture.files(in: "pack/exports").keys.filter { $0.hasPrefix("fake/") })
        #expect(after.isSuperset(of: before))
    }

    private func hinder(_ obstacle: Obstacle) throws {
        switch obstacle {
        case .names: try fixture.folder.write("{oops", to: "pack/exports/names.json")
        case .foreignFile: try fixture.folder.write([1], to: "pack/exports/fake/mine.txt")
        case .noWorker: fixture.maker.setAway(true)
        case .noRoom: break
        }
    }

    private func troubles(room: Int = 0) async -> [ExportTrouble] {
        do throws(ExportTrouble) { return try await update(room: room).troubles } catch { return [error] }
    }

    /// With an export that wants mine.txt if another has written one.
    private func update(room: Int = 0) async throws(ExportTrouble) -> PackExporter.Outcome {
        let isForeign = fixture.folder.exists("pack/exports/fake/mine.txt")
        return try await fixture.update([FakeExport(more: isForeign ? ["mine.txt": "list"] : [:])], minFreeBytes: room)
    }

    /// The contents of the files of the export and its pictures.
    private func texts(of files: [String: FileIdentity]) throws -> [String] {
        files.keys.filter { $0.contains("/") && !$0.hasSuffix("files.txt") }
            .compactMap { fixture.contents("pack/exports/" + $0) }
    }
}
