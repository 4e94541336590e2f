import DaemonSettings
import Exports
import Foundation
import Logging
import PackFacts
import SystemPackage
import TestSupport
import Testing

@testable import StickerDaemon

@Suite("Packs that are exported once")
struct PackExportRunTests {
    private let folder = TemporaryFolder()
    private let pack = Pack(.init(name: "Cats", identifier: "cats", publisher: "", emoji: ["🐱"]), stickers: [])

    @Test("The command line replaces the pack's description in pack.json")
    func described() throws {
        let changed = try run(["pack.publisher=Ada", "pack.emoji=🎨"]).described(pack)
        #expect(changed.publisher == "Ada" && changed.emoji == ["🎨"])
        #expect(changed.name == "Cats" && changed.identifier == "cats")
    }

    @Test("Settings from elsewhere do not: pack.json is what the daemon made of them")
    func fromPack() throws {
        let same = try run([], environment: ["STICKERD_PACK_PUBLISHER": "Bob"]).described(pack)
        #expect(same.publisher.isEmpty && same.emoji == ["🐱"])
    }

    @Test("An output folder inside the inbox is refused and not made: its pictures would become stickers")
    func outputInInbox() throws {
        let settings = try settings([])
        let output = settings.inbox.appending("exported/telegram")
        #expect(throws: CommandFailure.self) { try PackExportRun.make(output: output, settings) }
        #expect(!FileManager.default.fileExists(atPath: output.removingLastComponent().string))
        let other = settings.state.appending("telegram")
        try PackExportRun.make(output: other, settings)
        #expect(FileManager.default.fileExists(atPath: other.string))
    }

    @Test("A larger sticker.size is named for stickers that were reduced to it, not for small photos")
    func small() throws {
        var small = SmallStickers()
        (small.sides, small.room) = (["a.png": 512, "b.png": 350, "c.png": 400], 618)
        #expect(
            try run([]).notes(on: small) == [
                "1 sticker is smaller than its pictures and stands in their middle; sticker.size 626 would fill them.",
                "2 stickers are smaller than their pictures and stand in their middle; their photos are too small.",
            ])
        #expect(try run(["sticker.size=626"]).notes(on: small).map { $0.contains("too small") } == [true])
    }

    private func run(_ assignments: [String], environment: [String: String] = [:]) throws -> PackExportRun {
        PackExportRun(
            try PackExportRun.export(named: "signal"), settings: try settings(assignments, environment),
            executable: "/bin/true", logger: Logger(label: "test"))
    }

    private func settings(_ assignments: [String], _ environment: [String: String] = [:]) throws -> Settings {
        try Settings.load(
            arguments: SettingsOverrides(assignments: assignments),
            environment: environment.merging(["HOME": folder.path.string]) { $1 }, configFile: nil)
    }
}
