import Foundation
import Glibc
import Systemd
import Testing

@Suite("Log destination")
struct LogDestinationTests {
    @Test("is the journal only where JOURNAL_STREAM names this very stream")
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
        "is a terminal, with color unless it is unwanted",
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
