import Foundation
import Systemd
import TestSupport
import Testing

@Suite("Journal events")
struct JournalEventTests {
    private let catalog: [Entry]

    init() throws {
        let file = Repository.root.appending(path: "systemd/stickerd.catalog")
        catalog = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n-- ").dropFirst().map(
            Entry.init)
    }

    @Test("have exactly one catalog entry each")
    func agree() {
        #expect(catalog.map(\.messageID).sorted() == JournalEvent.allCases.map(\.messageID).sorted())
        #expect(Set(JournalEvent.allCases.map(\.messageID)).count == JournalEvent.allCases.count)
    }

    @Test("have a catalog entry with a subject and a text", arguments: JournalEvent.allCases)
    func explained(event: JournalEvent) throws {
        let entry = try #require(catalog.first { $0.messageID == event.messageID })
        #expect(entry.header.contains { $0.hasPrefix("Subject: ") })
        #expect(entry.header.contains("Defined-By: stickerd"))
        #expect(!entry.body.isEmpty)
    }

    @Test("have the identifiers that the manual says")
    func manual() throws {
        let file = Repository.root.appending(path: "Docs/Monitoring.md")
        let rows = try String(contentsOf: file, encoding: .utf8).matches(of: /\| `([a-z-]+)` \| `([0-9a-f]{32})` \|/)
        #expect(rows.count == 5)
        for row in rows { #expect(JournalEvent(rawValue: String(row.1))?.messageID == String(row.2)) }
    }

    private struct Entry {
        let messageID: String
        let header: [String]
        let body: String

        init(_ text: String) {
            let lines = text.components(separatedBy: "\n")
            messageID = lines[0]
            header = lines.dropFirst().prefix { !$0.isEmpty }.map { $0 }
            body = lines.drop { !$0.isEmpty }.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
