import Conditions
import FileNames
import Foundation
import LinuxIO
import Logging
import PhotoLibrary
import StickerDaemon
import SystemPackage
import TestSupport
import Testing

@Suite("The daemon's part of stickerd status")
struct DaemonStatusTests {
    private let folder = TemporaryFolder()
    private let conditions = CurrentConditions(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    /// With whole seconds, as in the text.
    private let since = Date(timeIntervalSince1970: 1_000_000_000)

    private let process: ProcessIdentity

    init() throws {
        process = try ProcessIdentity.current()
    }

    private func daemon() throws -> [String: Any]? {
        let json = try StatusReport(state: folder.path).json
        return (try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])?["daemon"] as? [String: Any]
    }

    @Test("Other processes read the conditions in the words of the journal, until the Library is closed")
    func shown() throws {
        do {
            let library = try Library(in: folder.path, outbox: "/outbox")
            #expect(try daemon().map { Set($0.keys) } == ["running"])
            conditions.begin(.inboxAway, because: "/inbox: not mounted")
            conditions.begin(.diskFull, because: "/outbox: 3 MB are free")
            conditions.isScanning = true
            try library.write(lockText: DaemonStatus(process, since: since, conditions).encoded())
            let daemon = try #require(try daemon())
            #expect(daemon["running"] as? Bool == true)
            #expect(daemon["pid"] as? Int32 == process.id)
            #expect(daemon["since"] as? String == "2001-09-09T01:46:40Z")
            #expect(
                daemon["waiting"] as? [[String: String]] == [
                    ["message": Condition.inboxAway.beginning, "reason": "/inbox: not mounted"],
                    ["message": Condition.diskFull.beginning, "reason": "/outbox: 3 MB are free"],
                ])
            let text = try StatusReport(state: folder.path).text
            #expect(text.contains("daemon      running since 2001-09-09T01:46:40Z (process \(process.id))\n"))
            #expect(text.contains("waiting     \(Condition.inboxAway.beginning): /inbox: not mounted\n"))
            #expect(text.contains("            still reading the inbox\n"))
            conditions.end(.inboxAway)
            conditions.end(.diskFull)
            try library.write(lockText: DaemonStatus(process, since: since, conditions).encoded())
            #expect(try self.daemon()?["waiting"] as? [[String: String]] == [])
            #expect(try !StatusReport(state: folder.path).text.contains("waiting"))
        }
        #expect(try daemon() as? [String: Bool] == ["running": false])
        #expect(try StatusReport(state: folder.path).text.contains("daemon      not running"))
    }

    @Test("A text that names a process that has ended is no daemon, whatever holds the lock")
    func ended() throws {
        let library = try Library(in: folder.path, outbox: "/outbox")
        let words = process.description.split(separator: " ")
        let ended = try #require(ProcessIdentity("\(words[0]) 1 \(words[2])"))
        try library.write(lockText: DaemonStatus(ended, since: since, conditions).encoded())
        #expect(try daemon() as? [String: Bool] == ["running": false])
        let elsewhere = try #require(ProcessIdentity("\(words[0]) 1 1"))
        try library.write(lockText: DaemonStatus(elsewhere, since: since, conditions).encoded())
        #expect(try daemon()?["running"] as? Bool == true)
    }

    @Test("The text fits any number of conditions with reasons of any length: those that do not fit are counted")
    func bounded() throws {
        let library = try Library(in: folder.path, outbox: "/outbox")
        for file in 0..<Int64(200) {
            let reason = String(repeating: file % 2 == 0 ? "\u{1b}\"\\\n" : "photo ", count: 400)
            conditions.begin(.index(ofPack: ExactName("\(file)")), because: reason)
        }
        let bytes = try DaemonStatus(process, since: since, conditions).encoded()
        #expect(bytes.count <= FileLock.maxTextBytes)
        try library.write(lockText: bytes)
        let daemon = try #require(try daemon())
        let waiting = try #require(daemon["waiting"] as? [[String: String]])
        #expect(!waiting.isEmpty)
        #expect(daemon["unlisted"] as? Int == 200 - waiting.count)
        let text = try StatusReport(state: folder.path).text
        #expect(text.contains("waiting     for \(200 - waiting.count) more conditions, not listed here"))
        #expect(!text.contains("\u{1b}"))
    }

    @Test(
        "A text that is torn or foreign is not shown: the daemon is running, without details",
        arguments: [
            "", "{", "[]", "7", #"{"pid":42}"#, #"{"pid":-1,"since":"2001-09-09T01:46:40Z","waiting":[]}"#,
            #"{"pid":42,"since":"yesterday","waiting":[]}"#, #"{"pid":42,"since":"2001-09-09T01:46:40Z"}"#,
            #"{"pid":42,"since":"2001-09-09T01:46:40Z","waiting":[]}{"#,
            #"{"pid":42,"since":"2001-09-09T01:46:40Z","waiting":[],"unlisted":-3}"#,
            #"{"pid":42,"since":"2001-09-09T01:46:40Z","waiting":[{"message":"a","reason":"\u001b[2J"}]}"#,
            #"{"pid":42,"since":"2001-09-09T01:46:40Z","waiting":[{"message":"a\nb","reason":"c"}]}"#,
        ])
    func untrusted(text: String) throws {
        let library = try Library(in: folder.path, outbox: "/outbox")
        try library.write(lockText: Array(text.utf8))
        #expect(try daemon() as? [String: Bool] == ["running": true])
        #expect(try StatusReport(state: folder.path).text.contains("daemon      running (no details"))
    }
}
