import Glibc
import LinuxIO
import StickerDaemon
import SystemPackage

/// The standard streams of every command: nothing else writes to them, but for the log.
///
/// What standard output does not take ends the command, because its reader would believe that this was all: with
/// `ExitStatus.inputOutput` and one line on standard error, or, where the reader closed a pipe, by SIGPIPE and without a
/// word, as every program ends that does not handle that signal (141 for a shell). What standard error does not take is
/// dropped.
enum Output {
    /// To be called first. A closed pipe is an error of write(2) from here on, so that a log without a reader does not
    /// end the daemon. Children get the default back (`ChildProcess`).
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for stream in STDIN_FILENO...STDERR_FILENO {
            guard (try? FileStatus(ofDescriptor: stream)) == nil else { continue }
            // Closed: the next file opened would get this number, and what is printed would land in it. Opened the wrong
            // way round, the stream still fails (EBADF). It is the lowest free descriptor.
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
            // The first process of a container cannot die of it.
            _exit(128 + SIGPIPE)
        }
        complain("cannot write to standard output: \(cause)")
        exit(ExitStatus.inputOutput)
    }
}
