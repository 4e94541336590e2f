import FileNames
import Foundation
import LibraryCommands
import LinuxIO
import PackFacts
import PackLedger
import PhotoLibrary
import SystemPackage
import Testing
import TestSupport

@testable import Exports

/// What others changed among the exports.
extension ExportKeeperTests {
    @Test("A picture that a program wrote to, through its hard link, is made again at the next recheck")
    func overwritten() async throws {
        try await arrive("a.png")
        try await keeping { (keeper: ExportKeeper) async throws in
            #expect(try await fixture.eventually { contents("exports.js") != nil })
            let picture = try #require(contents("fake/pictures/c0.png"))
            let file = try #require(
                FileHandle(forWritingAtPath: fixture.folder["outbox/exports/fake/pictures/c0.png"].string))
            try file.write(contentsOf: Data("!".utf8))
            try file.close()
            #expect(contents("fake/pictures/c0.png") != picture)
            keeper.recheck()
            #expect(try await fixture.eventually { contents("fake/pictures/c0.png") == picture })
        }
    }

    @Test(
        "Files that others deleted among the exports return without a change in the outbox",
        arguments: ["fake/all.zip", "fake/files.txt", "fake/pictures/c0.png", "exports.js", "names.json", ""])
    func deleted(_ file: String) async throws {
        try await arrive("a.png")
        try await keeping { (_: ExportKeeper) async throws in
            try await untilIdle()
            let before = try files().keys.sorted().filter { !$0.hasPrefix(".pictures/") }
            let list = contents("fake/all.zip")
            try fixture.folder.remove("outbox/exports/\(file)")
            fixture.clock.advance(by: .seconds(600))
            #expect(try await eventually { contents("exports.js") != nil && contents("fake/all.zip") == list })
            #expect(try await eventually { before.allSatisfy { contents($0) != nil } })
        }
    }

    @Test("A start compares no exports that were complete, and any start those that were not")
    func restart() async throws {
        try await arrive("a.png")
        let (first, second, third) = (Gate(), Gate(), Gate())
        for gate in [first, second, third] { gate.open() }
        try await keeping(FakeExport(gate: first)) { (_: ExportKeeper) async throws in try await untilIdle() }
        try await keeping(FakeExport(gate: second)) { (_: ExportKeeper) async throws in try await untilIdle() }
        #expect(first.isAwaited && !second.isAwaited)
        try fixture.folder.remove("outbox/exports/fake/list.txt")
        // The packs' writer looks for all derived files at its start.
        try await packs.writing()
        try await keeping(FakeExport(gate: third)) { (_: ExportKeeper) async throws in try await untilIdle() }
        #expect(third.isAwaited && contents("fake/list.txt") != nil)
    }

    @Test("Settings that the files show are another reason to write them, whatever the index says")
    func renamed() async throws {
        try await arrive("a.png")
        try await keeping(FakeExport(name: "strict", needsPublisher: true)) { (keeper: ExportKeeper) async throws in
            #expect(try await fixture.eventually { contents("strict/list.txt") != nil })
            keeper.update([FakeExport(name: "strict", needsPublisher: true)], settings(publisher: ""))
            #expect(try await fixture.eventually { contents("strict/withheld.txt") != nil })
        }
    }

    @Test("A sticker that a program has changed is left out if it stays so; its pictures from before are used")
    func foreign() async throws {
        try await arrive("a.png", "b.png")
        try await keeping { (keeper: ExportKeeper) async throws in
            try await untilIdle()
            let file = try #require(try packs.index()?.stickers.first?.file)
            try fixture.folder.write("another", to: "outbox/\(file)")
            keeper.update([FakeExport(), FakeExport(name: "other")], settings())
            #expect(try await fixture.eventually { contents("other/list.txt") == list(["a.png", "b.png"]) })
            keeper.update([FakeExport(form: Self.otherForm)], settings())
            #expect(try await fixture.eventually { contents("exports.js")?.contains("1 sticker is left out") == true })
            #expect(contents("fake/pictures/c1.png")?.contains("32x32") == true)
        }
    }

    /// What makes a keeper compare everything again.
    enum Occasion: CaseIterable { case start, recheck }

    /// Writes the exports, changes something, and waits at the next occasion until the condition holds.
    private func exporting(
        _ occasion: Occasion, changing change: () async throws -> Void, until condition: () -> Bool
    ) async throws {
        try await keeping { (keeper: ExportKeeper) async throws in
            try await untilIdle()
            #expect(!condition())
            guard occasion == .recheck else { return }
            try await change()
            keeper.recheck()
            #expect(try await fixture.eventually(condition))
        }
        guard occasion == .start else { return }
        try await change()
        try await keeping { (_: ExportKeeper) async throws in #expect(try await fixture.eventually(condition)) }
    }

    @Test("Edits of names.json are read at a start and at a recheck", arguments: Occasion.allCases)
    func edited(_ occasion: Occasion) async throws {
        try await arrive("a.png")
        try await exporting(occasion) {
            let names = try #require(contents("names.json")).replacing("\"c0\"", with: "\"mine\"")
            try fixture.folder.write(names, to: "outbox/exports/names.json")
            if occasion == .start { try await packs.writing() }
        } until: {
            contents("fake/pictures/mine.png") != nil
        }
    }

    @Test("The ledger has the files of exports that are there, and no others", arguments: [true, false])
    func recorded(_ isWithheld: Bool) async throws {
        try await arrive("a.png")
        let export = FakeExport(name: "strict", needsPublisher: true)
        try await keeping(export, publisher: isWithheld ? "" : "me") { (_: ExportKeeper) async throws in
            try await untilIdle()
        }
        let there = try files().keys.filter { !$0.hasPrefix(".pictures/") }.map { "exports/\($0)" }.sorted()
        #expect(try recordedFiles() == there)
    }

    @Test(
        "Without exports, they and their rows in the ledger are removed, whatever others removed before; the names stay",
        arguments: [nil, "", "/fake/files.txt"])
    func forgotten(_ removed: String?) async throws {
        try await arrive("a.png", "b.png")
        try await keeping { (keeper: ExportKeeper) async throws in
            try await untilIdle()
            if let removed { try fixture.folder.remove("outbox/exports\(removed)") }
            keeper.update([], settings())
            let names = removed == "" ? [] : ["names.json"]
            #expect(try await fixture.eventually { try recordedFiles().isEmpty && files().keys.sorted() == names })
        }
    }

    private func recordedFiles() throws -> [String] {
        let pack = try #require(try LibraryInspection(of: fixture.library.folder).packs.first)
        return pack.files.map(\.file).filter { $0.hasPrefix("exports/") }.sorted()
    }

    @Test("A sticker that was left out is tried again at a recheck and at a start", arguments: Occasion.allCases)
    func leftOut(_ occasion: Occasion) async throws {
        try await arrive("a.png", "b.png")
        maker.refuse(try ContentDigest.sha256(of: Array("a.png".utf8)).hex)
        try await exporting(occasion) {
            #expect(contents("exports.js")?.contains("1 sticker is left out") == true)
            maker.allowAll()
        } until: {
            contents("exports.js")?.contains("is left out") == false
        }
    }

    @Test("A pack whose folder something else has replaced holds up no other pack's exports")
    func replaced() async throws {
        try await arrive("a.png", "A/b.png")
        try await keeping { (keeper: ExportKeeper) async throws in
            try await untilIdle()
            try fixture.folder.remove("outbox/A")
            try fixture.folder.write([1], to: "outbox/A")
            try fixture.folder.remove("outbox/exports/fake/list.txt")
            keeper.recheck()
            #expect(try await fixture.eventually { contents("fake/list.txt") == list(["a.png"]) })
        }
    }

    @Test("A file that was written after it was compared does not count as lost")
    func comparedBefore() async throws {
        try await arrive("a.png")
        try await keeping { (_: ExportKeeper) async throws in try await untilIdle() }
        let rows = try await fixture.library.ledger(ofPack: "", among: [ExactName("exports/fake/list.txt")])
        let other = try await fixture.library.ledger(ofPack: "", among: [ExactName("exports/fake/all.zip")])
        let stamp = try #require(other.first?.stamp)
        try await fixture.library.recordLoss(
            of: rows.map { LedgerEntry(file: $0.file, key: $0.key, stamp: stamp) }, ofPack: "")
        #expect(try await fixture.library.ledger(ofPack: "", among: [ExactName("exports/fake/list.txt")]) == rows)
    }

    @Test("A crash's temporary files are removed")
    func leftovers() async throws {
        try await arrive("a.png")
        for place in [".pictures", "fake", "fake/pictures"] {
            try fixture.folder.write([1], to: "outbox/exports/\(place)/.stickerd-1.tmp")
        }
        try await keeping { (_: ExportKeeper) async throws in
            #expect(try await fixture.eventually { contents("fake/list.txt") != nil })
        }
        #expect(try files().keys.filter { $0.contains(".stickerd-") }.isEmpty)
    }
}
