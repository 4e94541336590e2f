import Glibc

/// The service manager's end of sd_notify(3), for processes with its `name` in `NOTIFY_SOCKET`.
final class NotifySocket {
    /// In the abstract namespace (unix(7)): no file, and no path that could be too long.
    let name: String
    private let descriptor: Int32

    private static let maxMessage = 4096

    init() throws {
        name = "@stickerd-bench-\(getpid())-\(UInt32.random(in: .min ... .max))"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError.system("socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8.dropFirst())
        // The path's first byte stays zero; the name is far shorter than the path's 108 bytes.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0[1...].copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + bytes.count)
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            // Passed as a generic socket address; `length` bytes of it are read.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
        }
        guard bound == 0 else { throw BenchError.system("bind") }
    }

    deinit {
        close(descriptor)
    }

    /// The time at which `READY=1` arrives; nil if it does not within `limit`.
    func ready(within limit: Duration) throws -> ContinuousClock.Instant? {
        let deadline = ContinuousClock.now.advanced(by: limit)
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // One structure that outlives the call.
            guard unsafe poll(&request, 1, max(0, Int32(clamping: rest.milliseconds))) > 0 else { return nil }
            let now = ContinuousClock.now
            if try receive().split(separator: "\n").contains("READY=1") { return now }
        }
    }

    private func receive() throws -> String {
        var buffer = [UInt8](repeating: 0, count: Self.maxMessage)
        // The buffer outlives the call and has the given size.
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw BenchError.system("recv") }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
