import FileNames
import Foundation
import GRDB
import LinuxIO
import PackLedger
@testable import PhotoLibrary
import SQLiteDatabase
import SystemPackage
import Testing
import TestSupport

@testable import Outbox

@Suite("Files of a pack by plan and ledger", .timeLimit(.minutes(1)))
struct PublisherTests {
    private let fixture = PipelineFixture()
    private let publisher: Publisher

    init() { publisher = Publisher(library: fixture.library, outbox: fixture.outbox) }

    @Test("A file that is only about to be written is not as it is to be, whatever is in its place")
    func unwritten() throws {
        let (file, junk) = ("palettes/a.css", Array("junk".utf8))
        try fixture.folder.write(junk, to: "outbox/" + file)
        let path = fixture.folder["outbox"].appending(file)
        #expect(try !LedgerEntry(file: file, key: "").isKey(ofFileAt: path))
        let (key, stamp) = (try ContentDigest.sha256(of: junk).hex, FileStamp(try FileStatus(of: path)))
        #expect(try LedgerEntry(file: file, key: key, stamp: stamp).isKey(ofFileAt: path))
    }

    /// What a file is like before a plan is carried out.
    private enum Found: String, CaseIterable { case missing, asWritten = "as written", other }
    private enum Row: String, CaseIterable { case none = "no row", intended, recorded }

    private func contents(_ name: String = "palettes/a.css") -> String? {
        fixture.folder.text(of: "outbox/\(name)")
    }

    private func plan(_ text: String?) throws -> [(part: LedgerPart, files: [PlannedFile])] {
        [(.palettes(of: "p"), try text.map { [try PlannedFile("palettes/a.css", Array($0.utf8))] } ?? [])]
    }

    /// Returns whether anything was to do.
    @discardableResult
    private func publish(_ plan: [(part: LedgerPart, files: [PlannedFile])]) async throws -> Bool {
        let changes = try await publisher.publish(plan, inPack: "")
        try await fixture.library.record(changes, ofPack: "", isWhole: true)
        return !changes.isEmpty
    }

    private func prepare(_ row: Row, _ found: Found) async throws {
        try await publish(try plan("ours"))
        switch row {
        case .none: try await fixture.library.database.write { try $0.execute(sql: "DELETE FROM ledger") }
        case .intended:
            let rows = try await fixture.library.ledger(ofPack: "", among: [ExactName("palettes/a.css")])
            try await fixture.library.recordLoss(of: rows, ofPack: "")
        case .recorded: break
        }
        switch found {
        case .missing: try fixture.folder.remove("outbox/palettes/a.css")
        case .asWritten: break
        case .other: try fixture.folder.write("another's", to: "outbox/palettes/a.css")
        }
    }

    @Test("A file that is lost while another of its plan is written is missing afterwards")
    func lostMeanwhile() async throws {
        let names = ["palettes/a.css", "palettes/b.css"]
        let plan = { (texts: [String]) -> [(part: LedgerPart, files: [PlannedFile])] in
            [(.palettes(of: "p"), try zip(names, texts).map { try PlannedFile($0, Array($1.utf8)) })]
        }
        try await publish(try plan(["1", "1"]))
        let changes = try await publisher.publish(try plan(["2", "1"]), inPack: "")
        let lost = try await fixture.library.ledger(ofPack: "", among: [ExactName(names[1])])
        try await fixture.library.recordLoss(of: lost, ofPack: "")
        try await fixture.library.record(changes, ofPack: "", isWhole: true)
        let rows = try await fixture.library.ledger(ofPack: "", among: Set(names.map { ExactName($0) }))
        #expect(rows.sorted { $0.file < $1.file }.map { $0.stamp != nil } == [true, false])
    }

    /// The rows of the table in Docs/Reliability.md.
    private static func table() throws -> [[String]] {
        try String(contentsOf: Repository.root.appending(path: "Docs/Reliability.md"), encoding: .utf8).split(
            separator: "\n"
        )
        .filter { line in Row.allCases.contains { line.hasPrefix("| \($0.rawValue) |") } }
        .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    @Test("What becomes of a file is as in the table of the documentation", arguments: try table())
    func cases(line: [String]) async throws {
        let row = try #require(Row(rawValue: line[0])), found = try #require(Found(rawValue: line[1]))
        try await prepare(row, found)
        try await publisher.audit(pack: "", reading: false)
        try await publish(try plan("ours"))
        #expect(contents() == "ours", "planned: \(line[2])")

        try await prepare(row, found)
        let before = contents()
        try await publish(try plan(nil))
        try await publisher.removeUnwanted(fromPack: "")
        #expect(line[3] == "stays" || line[3] == "removed" || line[3] == "–")
        #expect(contents() == (line[3] == "stays" ? before : nil), "not planned")
        #expect(try await fixture.library.ledger(ofPack: "", after: "", limit: 9).isEmpty)
    }

    @Test("The table has every case")
    func complete() throws {
        #expect(Set(try Self.table().map { "\($0[0]) \($0[1])" }).count == Row.allCases.count * Found.allCases.count)
    }

    @Test("Nothing is written that is as planned; a plan that changes writes and removes the difference")
    func difference() async throws {
        func files(_ names: String...) throws -> [PlannedFile] {
            try names.map { try PlannedFile("palettes/\($0)", Array($0.utf8)) }
        }
        #expect(try await publish([(.palettes(of: "p"), files("a", "b"))]))
        let status = try FileStatus(of: fixture.folder["outbox/palettes/b"])
        #expect(try await !publish([(.palettes(of: "p"), files("a", "b"))]))
        #expect(try await publish([(.palettes(of: "p"), files("c", "b"))]))
        #expect(try FileStatus(of: fixture.folder["outbox/palettes/b"]) == status)
        #expect(contents("palettes/a") == "a" && contents("palettes/c") == "c")
        // Another part takes over the name of a file that is to be removed.
        #expect(try await publish([(.palettes(of: "q"), files("a"))]))
        try await publisher.removeUnwanted(fromPack: "")
        #expect(contents("palettes/a") == "a")
        #expect(try await publish([(.palettes(of: "q"), [])]))
        try await publisher.removeUnwanted(fromPack: "")
        #expect(contents("palettes/a") == nil)
    }

    @Test("A file that others put in the place of one to be removed stays, also after an audit")
    func replacedBeforeRemoval() async throws {
        try await prepare(.recorded, .other)
        try await publish(try plan(nil))
        try await publisher.audit(pack: "", reading: false)
        try await publisher.removeUnwanted(fromPack: "")
        #expect(contents() == "another's")
    }

    @Test("An audit that reads finds a change that kept size and time")
    func reading() async throws {
        try await publish(try plan("ours"))
        try fixture.folder.rewrite(Array("OURS".utf8), to: "outbox/palettes/a.css")
        try await publisher.audit(pack: "", reading: false)
        #expect(try await !publish(try plan("ours")), "size and time are the same")
        try await publisher.audit(pack: "", reading: true)
        try await publish(try plan("ours"))
        #expect(contents() == "ours")
    }
}
