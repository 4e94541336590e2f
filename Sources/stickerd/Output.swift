import Glibc
import LinuxIO
import StickerDaemon
import SystemPackage

/// The standard streams of every command. Besides this, only the log writes to them.
///
/// A failed write to standard output ends the command, because its reader would take the output for complete: with
/// `ExitStatus.inputOutput` and one line on standard error, or, if the reader closed a pipe, by SIGPIPE and without a
/// message, like every program that does not handle that signal (141 for a shell). A failed write to standard error is
/// ignored.
enum Output {
    /// Makes writing to a closed pipe an error, so that a log without a reader does not end the daemon. Call it first.
    /// Child processes get the default action back (`ChildProcess`).
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for stream in STDIN_FILENO...STDERR_FILENO {
            guard (try? FileStatus(ofDescriptor: stream)) == nil else { continue }
            // If the stream stayed closed, the next file opened would get its number, and printed text would go to that
            // file. Opened in the wrong direction, writes still fail (EBADF).
            let access: FileDescriptor.AccessMode = stream == STDIN_FILENO ? .writeOnly : .readOnly
            _ = try? FileDescriptor.open("/dev/null", access)
        }
    }

    /// Prints one or more lines to standard output; adds the last line feed.
    static func print(_ text: String) {
        write(Array("\(text)\n".utf8))
    }

    /// Writes bytes to standard output.
    static func write(_ bytes: [UInt8]) {
        do throws(Errno) {
            try write(bytes, to: STDOUT_FILENO)
        } catch {
            end(because: error)
        }
    }

    /// Prints one or more lines to standard error, escaped for a terminal; adds the last line feed.
    static func complain(_ text: String) {
        try? write(Array("\(RawArguments.printable(text))\n".utf8), to: STDERR_FILENO)
    }

    private static func write(_ bytes: [UInt8], to stream: Int32) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            do throws(Errno) {
                // The buffer outlives the call and is not read beyond its end.
                let count = try Errno.retry {
                    unsafe rest.withUnsafeBytes { unsafe Glibc.write(stream, $0.baseAddress, $0.count) }
                }
                rest = rest.dropFirst(count)
            } catch .wouldBlock {
                // Another program has made the terminal or pipe non-blocking.
                var watched = pollfd(fd: stream, events: Int16(POLLOUT), revents: 0)
                // One record.
                _ = try Errno.retry { unsafe poll(&watched, 1, -1) }
            }
        }
    }

    private static func end(because cause: Errno) -> Never {
        if cause == .brokenPipe {
            DraftFile.removeAll()
            signal(SIGPIPE, SIG_DFL)
            kill(getpid(), SIGPIPE)
            // The signal cannot end the first process of a container.
            _exit(128 + SIGPIPE)
        }
        complain("cannot write to standard output: \(cause)")
        exit(ExitStatus.inputOutput)
    }
}
