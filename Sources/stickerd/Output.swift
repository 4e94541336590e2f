import Glibc
import LinuxIO
import StickerDaemon
import SystemPackage

/// The standard streams of every command: only the log writes to them as well.
///
/// A failed write to standard output ends the command, because its reader would take the output for complete: with
/// `ExitStatus.inputOutput` and one line on standard error, or, if the reader closed a pipe, by SIGPIPE and without a
/// message, like every program that does not handle that signal (141 for a shell). A failed write to standard error is
/// ignored.
enum Output {
    /// Makes writing to a closed pipe an error, so that a log without a reader does not end the daemon. Call this
    /// first. Children get the default back (`ChildProcess`).
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for stream in STDIN_FILENO...STDERR_FILENO {
            guard (try? FileStatus(ofDescriptor: stream)) == nil else { continue }
            // If the stream stayed closed, the next file opened would get its number, and printed text would end up
            // there. It is the lowest free descriptor. Opened for the opposite access, it still fails (EBADF).
            let access: FileDescriptor.AccessMode = stream == STDIN_FILENO ? .writeOnly : .readOnly
            _ = try? FileDescriptor.open("/dev/null", access)
        }
    }

    /// One or more lines on standard output; the last line feed is added.
    static func print(_ text: String) {
        write(Array("\(text)\n".utf8))
    }

    /// Bytes for standard output.
    static func write(_ bytes: [UInt8]) {
        do throws(Errno) {
            try write(bytes, to: STDOUT_FILENO)
        } catch {
            end(because: error)
        }
    }

    /// One or more lines on standard error; the last line feed is added.
    static func complain(_ text: String) {
        draw("\(text)\n")
    }

    /// Text on standard error as it is.
    static func draw(_ text: String) {
        try? write(Array(text.utf8), to: STDERR_FILENO)
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
                // A terminal or pipe that another program has made non-blocking.
                var watched = pollfd(fd: stream, events: Int16(POLLOUT), revents: 0)
                // One record.
                _ = try Errno.retry { unsafe poll(&watched, 1, -1) }
            }
        }
    }

    private static func end(because cause: Errno) -> Never {
        if cause == .brokenPipe {
            signal(SIGPIPE, SIG_DFL)
            kill(getpid(), SIGPIPE)
            // The signal cannot end the first process of a container.
            _exit(128 + SIGPIPE)
        }
        complain("cannot write to standard output: \(cause)")
        exit(ExitStatus.inputOutput)
    }
}
