import Foundation
import PackLedger
import PhotoLibrary
import StickerDaemon
import TestSupport
import Testing

@Suite("Exports in the output of stickerd status")
struct ExportStatusTests {
    private let folder = TemporaryFolder()

    @Test("Withheld exports and those that lack stickers are listed with their reasons, until they are complete")
    func listed() async throws {
        let library = try Library(in: folder.path, outbox: "/outbox")
        try await library.record(
            withheld: [
                WithheldExport(pack: "Cats", export: "line", reason: "LINE takes packs of 8 or more."),
                WithheldExport(pack: "Cats", export: "signal", reason: "a.png: cannot be read", leftOut: 2),
            ], ofPack: "Cats")

        let text = try StatusReport(state: folder.path).text
        #expect(text.contains("withheld    line of Cats: LINE takes packs of 8 or more.\n"))
        #expect(text.hasSuffix("incomplete  signal of Cats: a.png: cannot be read"))
        let report = try JSONDecoder().decode(Report.self, from: Data(StatusReport(state: folder.path).json.utf8))
        #expect(report.withheld.map { "\($0.pack) \($0.export)" } == ["Cats line"])
        #expect(report.incomplete.map { "\($0.pack) \($0.export) \($0.leftOut ?? 0)" } == ["Cats signal 2"])

        try await library.record(withheld: [], ofPack: "Cats")
        let complete = try StatusReport(state: folder.path).text
        #expect(!complete.contains("withheld") && !complete.contains("incomplete"))
    }

    private struct Report: Decodable {
        struct Export: Decodable {
            let pack: String
            let export: String
            let leftOut: Int?
        }

        let withheld: [Export]
        let incomplete: [Export]
    }
}
