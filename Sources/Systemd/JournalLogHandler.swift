import CSystemd
import Glibc
import LinuxIO
package import Logging

/// Writes swift-log's events to the journal, or as lines to standard error. Metadata keys become fields
/// (`duration-usec` → `STICKERD_DURATION_USEC`), and `event` selects the `MESSAGE_ID` (see `JournalEvent`). Values are
/// untrusted: no file name can forge a line or a field.
package struct JournalLogHandler: LogHandler {
    /// The minimum level; less urgent events are dropped.
    package var logLevel: Logger.Level
    /// Added to every event.
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let write: @Sendable (LogRecord, Logger.Level) -> Void

    /// - Parameter write: gets each event's record, and the level of the log.
    package init(level: Logger.Level, write: @escaping @Sendable (LogRecord, Logger.Level) -> Void) {
        logLevel = level
        self.write = write
    }

    /// Does not block a daemon (`LogQueue`).
    package init(destination: LogDestination, level: Logger.Level) {
        self.init(level: level) { record, _ in destination.write(record) }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) { write(record(of: event), logLevel) }

    /// The event with all metadata; its own overrides the provider's, which overrides the handler's.
    package func record(of event: LogEvent) -> LogRecord {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error { all["error"] = "\(error)" }
        return LogRecord(event, metadata: all)
    }
}

/// Where log records go, and in which form.
package enum LogDestination: Sendable, Equatable {
    /// The journal's native protocol, with all fields.
    case journal
    /// Lines in a file or pipe, as standard error, each with its time in UTC and its level.
    case lines
    /// Lines on a terminal, as standard error, each with its local time and its level.
    case terminal(color: Bool)

    /// The destination for `descriptor`: the journal if `JOURNAL_STREAM` in `environment` identifies this very stream
    /// (a child with redirected output inherits only the variable), a terminal if it is one, otherwise lines.
    package static func suiting(descriptor: Int32, environment: [String: String]) -> LogDestination {
        if isJournal(descriptor, stream: environment["JOURNAL_STREAM"]) { return .journal }
        guard isatty(descriptor) == 1 else { return .lines }
        return .terminal(color: TerminalColor.isWanted(on: descriptor, environment: environment))
    }

    private static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
        guard let numbers = stream?.split(separator: ":").map({ UInt64($0) }), numbers.count == 2 else { return false }
        guard let stream = try? FileStatus(ofDescriptor: descriptor).identity else { return false }
        return numbers[0] == stream.device && numbers[1] == stream.inode
    }

    /// Does not block a daemon (`LogQueue`).
    package func write(_ record: LogRecord) {
        let line = line(record, at: time(nil))
        guard self == .journal else { return LogQueue.print(line) }
        let fields = record.fields
        LogQueue.append(line) {
            if !Self.sendToJournal(fields) { LogQueue.print(line) }
        }
    }

    /// The record as a line for standard error, including the line feed. For the journal, it is what systemd reads from
    /// the stream if the native protocol fails: with its `<N>` priority (sd-daemon(3)).
    package func line(_ record: LogRecord, at time: Int) -> String {
        let (word, shade) = record.level.label
        let padded = word + String(repeating: " ", count: max(0, 8 - word.utf8.count))
        switch self {
        case .journal: return "<\(record.level.priority)>\(record.text)\n"
        case .lines: return "\(LogTime.utc(time)) \(padded) \(record.text)\n"
        case .terminal(let color):
            let label = color ? "\u{1B}[\(shade)m\(padded)\u{1B}[0m" : padded
            return "\(LogTime.local(time)) \(label) \(record.text)\n"
        }
    }

    private static func sendToJournal(_ fields: [String]) -> Bool {
        var bytes = fields.flatMap { Array($0.utf8) }
        let lengths = fields.map(\.utf8.count)
        // The vectors point into `bytes`, which outlives the call and is only read by it.
        return unsafe bytes.withUnsafeMutableBytes { buffer in
            guard var start = buffer.baseAddress else { return false }
            var vectors: [iovec] = unsafe []
            for length in lengths {
                unsafe vectors.append(iovec(iov_base: start, iov_len: length))
                unsafe start += length
            }
            return unsafe sd_journal_sendv(vectors, Int32(vectors.count)) >= 0
        }
    }
}

/// Whether a stream may get escape sequences for colors.
package enum TerminalColor {
    /// True for a terminal, unless `NO_COLOR` is not empty (no-color.org) or `TERM` is `dumb`.
    package static func isWanted(on descriptor: Int32, environment: [String: String]) -> Bool {
        isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
}

/// Time stamps of lines that do not go to the journal, which has its own. Times are in seconds since 1970.
package enum LogTime {
    /// `2026-03-01T09:12:44Z`.
    package static func utc(_ time: Int) -> String {
        var time = time_t(time)
        var parts = unsafe tm()
        // Both outlive the call, which writes only `parts`.
        unsafe gmtime_r(&time, &parts)
        let date = unsafe [parts.tm_mon + 1, parts.tm_mday].map { "-" + twoDigits($0) }.joined()
        return unsafe "\(parts.tm_year + 1900)\(date)T\(clock(parts))Z"
    }

    /// `09:12:44`, in the local time zone.
    package static func local(_ time: Int) -> String {
        var time = time_t(time)
        var parts = unsafe tm()
        // Both outlive the call, which writes only `parts`.
        unsafe localtime_r(&time, &parts)
        return unsafe clock(parts)
    }

    private static func clock(_ parts: tm) -> String {
        unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
