import Glibc

/// Watches one folder; events are read only on request (inotify(7)).
final class FolderWatch {
    /// An event of one file in the folder, and when it was read.
    struct Event {
        let name: String
        let time: ContinuousClock.Instant
    }

    private let descriptor: Int32
    private let path: String
    private var queue: [Event] = []

    /// - Parameter kinds: `IN_…` flags.
    init(_ path: String, kinds: Int32) throws {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        self.path = path
        // The path is read within the call.
        guard descriptor >= 0, unsafe inotify_add_watch(descriptor, path, UInt32(kinds)) >= 0 else {
            throw BenchError.system("inotify on \(path)")
        }
    }

    deinit {
        close(descriptor)
    }

    /// The next event of a file, in the kernel's order; nil if there is none within `limit`.
    ///
    /// - Throws: `BenchError` if events were lost.
    func next(within limit: Duration) throws -> Event? {
        let deadline = ContinuousClock.now.advanced(by: limit)
        while queue.isEmpty {
            let rest = ContinuousClock.now.duration(to: deadline)
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // One structure that outlives the call.
            guard unsafe poll(&request, 1, max(0, Int32(clamping: rest.milliseconds))) > 0 else { return nil }
            try read(at: .now)
        }
        return queue.removeFirst()
    }

    private func read(at time: ContinuousClock.Instant) throws {
        let header = MemoryLayout<inotify_event>.size
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        // The buffer outlives the call and has the given size.
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { throw BenchError.system("inotify on \(path)") }
        var offset = 0
        while offset + header <= count {
            // Plain numbers at the offsets of `struct inotify_event`, within what was read.
            let (kinds, length) = unsafe buffer.withUnsafeBytes {
                unsafe (
                    $0.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
                    Int($0.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                )
            }
            guard kinds & UInt32(IN_Q_OVERFLOW) == 0 else { throw BenchError("events of \(path) were lost") }
            let name = buffer[offset + header..<offset + header + length].prefix { $0 != 0 }
            // An event without a name is about the folder itself.
            if !name.isEmpty {
                queue.append(Event(name: String(decoding: name, as: UTF8.self), time: time))
            }
            offset += header + length
        }
    }
}
