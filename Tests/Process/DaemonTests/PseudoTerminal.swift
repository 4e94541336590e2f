import Foundation
import Glibc
import Synchronization

/// A terminal of a given width for a process's standard streams. A thread reads what is written to it.
final class PseudoTerminal: Sendable {
    /// The side that a process writes to.
    let slave: FileHandle
    private let written = Mutex<[UInt8]>([])

    init(columns: Int, rows: Int = 24) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        // All arguments outlive the call.
        guard unsafe openpty(&master, &slave, nil, nil, &size) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        self.slave = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        let reader = master
        Thread { [self] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                // The buffer outlives the call, which writes no more than its size.
                let count = unsafe read(reader, &buffer, buffer.count)
                // EIO: no process has the other side open.
                guard count > 0 else { break }
                written.withLock { $0 += buffer.prefix(count) }
            }
            close(reader)
        }.start()
    }

    /// Everything written so far, with all escapes.
    var text: String { written.withLock { String(decoding: $0, as: UTF8.self) } }

    /// The lines as they appear in the end, for carriage returns and erasures of a line; colors are removed.
    var screen: [String] {
        var lines: [String] = []
        var line = ""
        var rest = Substring(text)
        func shown(_ text: String) -> String { text.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        while let next = rest.unicodeScalars.first {
            if let erasure = rest.prefixMatch(of: /\r?\u{1B}\[2?K/) {
                line = ""
                rest = rest[erasure.range.upperBound...]
                continue
            }
            rest.unicodeScalars.removeFirst()
            switch next {
            case "\n":
                lines.append(shown(line))
                line = ""
            case "\r": break
            default: line.unicodeScalars.append(next)
            }
        }
        return line.isEmpty ? lines : lines + [shown(line)]
    }
}
