import CSystemd
import Glibc

/// Where log records go, and in which form.
package enum LogDestination: Sendable, Equatable {
    /// The journal's native protocol, fields and all.
    case journal
    /// Lines on standard error, each with its `<N>` priority for whoever collects them.
    case lines
    /// Lines for a person's eyes on standard error.
    case terminal(color: Bool)

    /// What suits `descriptor`: the journal where `JOURNAL_STREAM` in `environment` names this very stream (a child
    /// whose output was redirected inherits the variable, not the stream), a terminal where it is one, lines otherwise.
    package static func suiting(descriptor: Int32, environment: [String: String]) -> LogDestination {
        if isJournal(descriptor, stream: environment["JOURNAL_STREAM"]) { return .journal }
        guard isatty(descriptor) == 1 else { return .lines }
        let wantsColor = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        return .terminal(color: wantsColor)
    }

    private static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
        guard let numbers = stream?.split(separator: ":").map({ UInt64($0) }), numbers.count == 2 else { return false }
        var status = stat()
        // `status` outlives the call, which writes nothing else.
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return numbers[0] == UInt64(status.st_dev) && numbers[1] == UInt64(status.st_ino)
    }

    func write(_ record: LogRecord) {
        guard self == .journal else { return Self.writeLine(line(record)) }
        if !Self.sendToJournal(record.fields) { Self.writeLine(Self.lines.line(record)) }
    }

    /// The record as it stands on standard error, line feed included.
    package func line(_ record: LogRecord) -> String {
        switch self {
        case .journal, .lines: return "<\(record.level.priority)>\(record.text)\n"
        case .terminal(let color):
            let (word, shade) = record.level.label
            let padded = word + String(repeating: " ", count: max(0, 8 - word.utf8.count))
            return (color ? "\u{1B}[\(shade)m\(padded)\u{1B}[0m" : padded) + " \(record.text)\n"
        }
    }

    private static func sendToJournal(_ fields: [String]) -> Bool {
        var bytes = fields.flatMap { Array($0.utf8) }
        let lengths = fields.map(\.utf8.count)
        // The vectors point into `bytes`, which stays put for the call and is only read by it.
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

    // One write for one line, so that processes sharing the stream do not mix theirs; what a full or closed stream
    // does not take is dropped, because a log must not stop its writer.
    private static func writeLine(_ line: String) {
        let bytes = Array(line.utf8)
        var written = 0
        while written < bytes.count {
            // The pointer is used within the call, over what is left of `bytes`.
            let count = unsafe bytes[written...].withUnsafeBytes {
                unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                return
            }
        }
    }
}
