package import Logging

/// One log event with all its metadata, for any destination.
package struct LogRecord {
    package let level: Logger.Level
    private let message: String
    private let metadata: Logger.Metadata
    private let location: (file: String, line: UInt, function: String)

    /// - Parameter metadata: includes the handler's own.
    package init(_ event: LogEvent, metadata: Logger.Metadata) {
        level = event.level
        message = PlainText.escaped(event.message.description, limit: Self.maxMessageBytes)
        self.metadata = metadata
        location = (event.file, event.line, event.function)
    }

    /// The message and its data on one line: `Made a sticker photo=cat.jpg duration=81ms`. The photo comes first. Data
    /// that the message implies, such as the event's name, is left out.
    package var text: String {
        if let event, event.speaksForItself { return message }
        return metadata.filter { !Self.impliedKeys.contains($0.key) }
            .sorted { ($0.key == Self.photoKey ? 0 : 1, $0.key) < ($1.key == Self.photoKey ? 0 : 1, $1.key) }
            .reduce(message) { $0 + " " + Self.pair($1.key, $1.value.description) }
    }

    /// The native protocol's fields, `NAME=value` each (systemd.journal-fields(7)).
    package var fields: [String] {
        var fields = [
            "MESSAGE=" + text,
            "PRIORITY=\(level.priority)",
            "SYSLOG_IDENTIFIER=stickerd",
            "CODE_FILE=" + location.file,
            "CODE_LINE=\(location.line)",
            "CODE_FUNC=" + location.function,
        ]
        if let event {
            fields.append("MESSAGE_ID=" + event.messageID)
        }
        fields += metadata.sorted { $0.key < $1.key }.map { key, value in
            Self.fieldName(key) + "=" + PlainText.escaped(value.description, limit: Self.maxFieldBytes)
        }
        return fields
    }

    /// A value of the metadata, escaped for one line.
    package func value(_ key: String) -> String? {
        metadata[key].map { PlainText.escaped($0.description, limit: Self.maxValueBytes) }
    }

    /// Nil if it has none, or an unknown one.
    package var event: JournalEvent? { metadata[Self.eventKey].flatMap { JournalEvent(rawValue: $0.description) } }

    private static let eventKey = "event"
    private static let impliedKeys: Set = [eventKey, "state", "original", "confidence"]
    private static let photoKey = "photo"
    private static let microsecondsSuffix = "-usec"
    private static let maxMessageBytes = 2048
    private static let maxValueBytes = 512
    private static let maxFieldBytes = 4096
    // journald drops a field whose name is longer.
    private static let maxFieldNameBytes = 64

    private static func pair(_ key: String, _ value: String) -> String {
        if key.hasSuffix(microsecondsSuffix), let microseconds = Int(value) {
            return key.dropLast(microsecondsSuffix.count) + "=" + shortDuration(microseconds)
        }
        let plain = PlainText.escaped(value, limit: maxValueBytes)
        // Without quotes, a file name could forge other data.
        let isOneWord = !plain.isEmpty && !plain.contains { $0.isWhitespace || $0 == "\"" || $0 == "=" }
        let quoted =
            isOneWord
            ? plain
            : "\""
                + plain.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\\\"") + "\""
        return PlainText.escaped(key, limit: maxFieldNameBytes) + "=" + quoted
    }

    private static func shortDuration(_ microseconds: Int) -> String {
        switch microseconds {
        case ..<1000: "\(microseconds)us"
        case ..<10_000_000: "\(microseconds / 1000)ms"
        default: "\(microseconds / 1_000_000)s"
        }
    }

    private static func fieldName(_ key: String) -> String {
        let name = key.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            default: UInt8(ascii: "_")
            }
        }
        return String(("STICKERD_" + String(decoding: name, as: UTF8.self)).prefix(maxFieldNameBytes))
    }
}

extension Logger.Level {
    /// The syslog priority, as in `<N>` prefixes and the journal's `PRIORITY` (sd-daemon(3)).
    var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// The level's name on a terminal, and its color as an SGR parameter.
    var label: (word: String, color: String) {
        switch self {
        case .trace, .debug: ("\(self)", "2")
        case .info: ("info", "32")
        case .notice: ("notice", "36")
        case .warning: ("warning", "33")
        case .error, .critical: ("\(self)", "1;31")
        }
    }
}
