import Foundation
import Glibc
import Logging
import Systemd
import Testing

@Suite("Journal log handler")
struct JournalLogHandlerTests {
    @Test("writes the message and its data on one line, the photo first")
    func text() {
        let record = record(
            "Made a sticker",
            ["sticker": "cat-1a2b3c4d.png", "photo": "cat.jpg", "duration-usec": "81234", "event": "sticker-made"])
        #expect(record.text == "Made a sticker photo=cat.jpg duration=81ms sticker=cat-1a2b3c4d.png")
    }

    @Test(
        "abbreviates durations",
        arguments: [("999", "999us"), ("1000", "1ms"), ("9999999", "9999ms"), ("10000000", "10s"), ("soon", nil)])
    func durations(microseconds: String, expected: String?) {
        let record = record("Done", ["duration-usec": .string(microseconds)])
        #expect(record.text == (expected.map { "Done duration=\($0)" } ?? "Done duration-usec=soon"))
    }

    @Test(
        "prevents a value from forging a line or further data",
        arguments: [
            ("my cat.jpg", "photo=\"my cat.jpg\""),
            ("a sticker=b", "photo=\"a sticker=b\""),
            ("a\"b", "photo=\"a\\\"b\""),
            ("", "photo=\"\""),
            ("cat\n<0>Panic", "photo=cat\\x0a<0>Panic"),
            ("cat\u{2028}<0>", "photo=cat\\xe2\\x80\\xa8<0>"),
        ])
    func forging(photo: String, expected: String) {
        #expect(record("Seen", ["photo": .string(photo)]).text == "Seen " + expected)
    }

    @Test("escapes the message and the keys too")
    func messageIsEscaped() {
        #expect(record("One\nTwo", ["a\nb": "1"]).text == "One\\x0aTwo a\\x0ab=1")
    }

    @Test("limits the length of a value")
    func bounded() {
        let long = String(repeating: "x", count: 100_000)
        let record = record("\(long)", ["reason": .string(long)])
        #expect(record.text.utf8.count < 4096)
        #expect(record.fields.allSatisfy { $0.utf8.count <= 4200 })
    }

    @Test("maps metadata to fields, and a known event to its MESSAGE_ID")
    func fields() {
        let fields = record("Made", level: .warning, ["photo": "a\nb", "duration-usec": "5", "event": "sticker-made"])
            .fields
        #expect(fields.contains("MESSAGE=Made photo=a\\x0ab duration=5us"))
        #expect(fields.contains("PRIORITY=4"))
        #expect(fields.contains("SYSLOG_IDENTIFIER=stickerd"))
        #expect(fields.contains("STICKERD_PHOTO=a\\x0ab"))
        #expect(fields.contains("STICKERD_DURATION_USEC=5"))
        #expect(fields.contains("STICKERD_EVENT=sticker-made"))
        #expect(fields.contains("MESSAGE_ID=\(JournalEvent.stickerMade.messageID)"))
    }

    @Test("sets no MESSAGE_ID for an unknown event")
    func unknownEvent() {
        let fields = record("Made", ["event": "party"]).fields
        #expect(fields.contains("STICKERD_EVENT=party"))
        #expect(!fields.contains { $0.hasPrefix("MESSAGE_ID=") })
    }

    @Test("restricts field names to what the journal accepts")
    func fieldNames() throws {
        let key = "é=\n" + String(repeating: "long", count: 40)
        let field = try #require(record("Made", [key: "1"]).fields.first { $0.hasPrefix("STICKERD_") })
        #expect(field.wholeMatch(of: /[A-Z0-9_]{1,64}=1/) != nil)
    }

    @Test(
        "maps every level to its priority",
        arguments: [
            (Logger.Level.trace, 7), (.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3), (.critical, 2),
        ])
    func priorities(level: Logger.Level, priority: Int) {
        let record = record("Hello", level: level, [:])
        #expect(LogDestination.journal.line(record, at: 0) == "<\(priority)>Hello\n")
        #expect(record.fields.contains("PRIORITY=\(priority)"))
    }

    @Test("prefers the event's metadata to the logger's, and adds the error")
    func merging() {
        var handler = JournalLogHandler(destination: .lines, level: .info)
        handler[metadataKey: "photo"] = "old.jpg"
        handler[metadataKey: "worker"] = "2"
        let event = LogEvent(
            level: .info, message: "Seen", error: Failure(), metadata: ["photo": "new.jpg"], source: nil, file: #fileID,
            function: #function, line: #line)
        #expect(handler.record(of: event).text == "Seen photo=new.jpg error=\"no such luck\" worker=2")
    }

    @Test("gives lines outside the journal a time stamp, and colors a terminal's only if requested")
    func terminal() {
        let record = record("Hello", level: .error, [:])
        #expect(LogDestination.lines.line(record, at: 1_772_356_364) == "2026-03-01T09:12:44Z error    Hello\n")
        let time = LogTime.local(1_772_356_364)
        #expect(time.wholeMatch(of: /\d\d:\d\d:44/) != nil)
        #expect(LogDestination.terminal(color: false).line(record, at: 1_772_356_364) == "\(time) error    Hello\n")
        let colored = LogDestination.terminal(color: true).line(record, at: 1_772_356_364)
        #expect(colored == "\(time) \u{1B}[1;31merror   \u{1B}[0m Hello\n")
    }

    private func record(_ message: Logger.Message, level: Logger.Level = .info, _ metadata: Logger.Metadata)
        -> LogRecord
    {
        let event = LogEvent(
            level: level, message: message, metadata: metadata, source: nil, file: #fileID, function: #function,
            line: #line)
        return JournalLogHandler(destination: .lines, level: .trace).record(of: event)
    }

    private struct Failure: Error, CustomStringConvertible {
        let description = "no such luck"
    }
}

@Suite("Log destination")
struct LogDestinationTests {
    @Test("is the journal only if JOURNAL_STREAM names this very stream")
    func journal() throws {
        let stream = Pipe().fileHandleForWriting
        let other = Pipe().fileHandleForWriting
        var status = stat()
        // `status` outlives the call, which writes nothing else.
        try #require(unsafe fstat(stream.fileDescriptor, &status) == 0)
        let name = "\(status.st_dev):\(status.st_ino)"
        #expect(suiting(stream, ["JOURNAL_STREAM": name]) == .journal)
        #expect(suiting(other, ["JOURNAL_STREAM": name]) == .lines)
        #expect(suiting(stream, [:]) == .lines)
        for garbled in ["", "1", "a:b", name + ":1", "\(status.st_dev):", "\(status.st_dev + 1):\(status.st_ino)"] {
            #expect(suiting(stream, ["JOURNAL_STREAM": garbled]) == .lines)
        }
    }

    @Test(
        "is a terminal, with color unless that is disabled",
        arguments: [
            ([:], true), (["TERM": "xterm"], true), (["TERM": "dumb"], false), (["NO_COLOR": "1"], false),
            (["NO_COLOR": ""], true),
        ])
    func terminal(environment: [String: String], color: Bool) throws {
        let terminal = try #require(FileHandle(forUpdatingAtPath: "/dev/ptmx"))
        #expect(suiting(terminal, environment) == .terminal(color: color))
    }

    private func suiting(_ handle: FileHandle, _ environment: [String: String]) -> LogDestination {
        LogDestination.suiting(descriptor: handle.fileDescriptor, environment: environment)
    }
}
