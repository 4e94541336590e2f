import CLinuxShims
import Glibc
package import SystemPackage

/// One end of a connected stream between two processes, for whole messages and open descriptors.
///
/// Frame: header length and body length (32 bits each, little-endian), header, body. Calls block; one thread sends and
/// one receives at a time. Owns its descriptor.
package final class MessageSocket: Sendable {
    /// The longest message in bytes. Longer ones, or those that claim to be, are rejected (`Errno.badMessage`).
    package static let maxHeaderBytes = 1 << 20
    package static let maxBodyBytes = 64 << 20
    private static let prefixBytes = 8

    private let descriptor: OwnedDescriptor

    /// Takes ownership of a connected stream socket, such as one inherited by a worker.
    package init(owning descriptor: consuming OwnedDescriptor) {
        self.descriptor = descriptor
    }

    /// Two connected ends, both close-on-exec.
    package static func pair() throws(Errno) -> (MessageSocket, MessageSocket) {
        let (ours, theirs) = try pairForChild()
        return (ours, MessageSocket(owning: OwnedDescriptor(owning: theirs.rawValue)))
    }

    /// One end, and the open descriptor of the other for a child to inherit. The caller must close that one once the
    /// child has it: an open copy here would hide the child's exit.
    package static func pairForChild() throws(Errno) -> (MessageSocket, FileDescriptor) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        // The call writes two descriptors.
        _ = try Errno.retry { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
        return (MessageSocket(owning: OwnedDescriptor(owning: ends[0])), FileDescriptor(rawValue: ends[1]))
    }

    /// Borrowed, for passing this end to a child and for poll(2).
    package var raw: Int32 { descriptor.raw }

    /// Returns when the kernel has the whole message, perhaps before the peer reads it.
    ///
    /// - Parameter passing: borrowed; the peer gets its own descriptor for the same open file.
    /// - Throws: `Errno.brokenPipe` if the peer has closed its end. After any throw but `badMessage` the stream is
    ///   unusable.
    package func send(header: [UInt8], body: [UInt8] = [], passing: Int32? = nil) throws(Errno) {
        guard header.count <= Self.maxHeaderBytes, body.count <= Self.maxBodyBytes else { throw .badMessage }
        try send(Self.word(header.count) + Self.word(body.count) + header, passing: passing ?? -1)
        try send(body, passing: -1)
    }

    /// Waits for the next message; nil if the peer has closed its end between two messages.
    ///
    /// - Parameters:
    ///   - timeout: for the whole message; nil waits indefinitely.
    ///   - mayTakeLonger: asked each time it has passed; if true, the message has as much time again.
    /// - Throws: `Errno.timedOut`, `Errno.noData` if the stream ends within a message, `Errno.badMessage` if a message
    ///   is too long. After any throw the stream is unusable.
    package func receive(
        timeout: Duration? = nil, mayTakeLonger: () -> Bool = { false }
    ) throws(Errno) -> Message? {
        var deadline = timeout.map { ContinuousClock.now + $0 }
        let wait = { () throws(Errno) in
            while let end = deadline, try !self.isReadable(until: end) {
                guard mayTakeLonger() else { throw .timedOut }
                deadline = timeout.map { .now + $0 }
            }
        }
        var descriptor: OwnedDescriptor?
        let prefix = try receive(Self.prefixBytes, descriptor: &descriptor, wait: wait)
        guard !prefix.isEmpty else { return nil }
        guard prefix.count == Self.prefixBytes else { throw .noData }
        let (headerBytes, bodyBytes) = (Self.length(prefix.prefix(4)), Self.length(prefix.suffix(4)))
        guard headerBytes <= Self.maxHeaderBytes, bodyBytes <= Self.maxBodyBytes else { throw .badMessage }
        let header = try receive(headerBytes, descriptor: &descriptor, wait: wait)
        let body = try receive(bodyBytes, descriptor: &descriptor, wait: wait)
        guard header.count == headerBytes, body.count == bodyBytes else { throw .noData }
        return Message(header: header, body: body, descriptor: descriptor)
    }

    /// Whether data, or the end of the stream, arrives within `time`.
    package func isReadable(within time: Duration) throws(Errno) -> Bool {
        try isReadable(until: .now + time)
    }

    /// Shuts down both directions: blocked calls of `send` and `receive`, here and at the peer, return. May be called
    /// from any thread, repeatedly.
    package func shutdown() {
        _ = Glibc.shutdown(raw, Int32(SHUT_RDWR))
    }

    private func send(_ bytes: [UInt8], passing: Int32) throws(Errno) {
        var sent = 0
        while sent < bytes.count {
            let count = try Errno.retry {
                // The buffer outlives the call and is not read beyond its end.
                unsafe bytes.withUnsafeBytes { buffer in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[sent...])
                    return unsafe linux_send(raw, rest.baseAddress, rest.count, sent == 0 ? passing : -1)
                }
            }
            sent += count
        }
    }

    /// Receives `count` bytes, or fewer if the stream ends first. `wait` returns when there are some.
    private func receive(
        _ count: Int, descriptor: inout OwnedDescriptor?, wait: () throws(Errno) -> Void
    ) throws(Errno) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        var chunk = [UInt8](repeating: 0, count: min(count, Self.chunkBytes))
        while result.count < count {
            try wait()
            var received: Int32 = -1
            let wanted = min(chunk.count, count - result.count)
            // `chunk` holds at least `wanted` bytes.
            let length = try Errno.retry { unsafe linux_receive(raw, &chunk, wanted, &received) }
            if received >= 0 { descriptor = OwnedDescriptor(owning: received) }
            guard length > 0 else { break }
            result += chunk[..<length]
        }
        return result
    }

    /// The most bytes per call, so that memory is allocated only for bytes received.
    private static let chunkBytes = 256 * 1024

    private static func word(_ length: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
    }

    private static func length(_ word: ArraySlice<UInt8>) -> Int {
        word.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private func isReadable(until deadline: ContinuousClock.Instant) throws(Errno) -> Bool {
        var watched = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        return try Errno.retry {
            // One record.
            unsafe poll(&watched, 1, (deadline - .now).pollMilliseconds)
        } > 0
    }
}

/// A message of a `MessageSocket`: a small header, a body, and at most one open descriptor.
package struct Message: ~Copyable, Sendable {
    package let header: [UInt8]
    package let body: [UInt8]
    fileprivate var descriptor: OwnedDescriptor?

    /// Whether the message has a descriptor that has not been taken.
    package var hasDescriptor: Bool { descriptor != nil }

    /// Returns the message's descriptor, once. A descriptor that is not taken is closed with the message.
    package mutating func takeDescriptor() -> OwnedDescriptor? {
        descriptor.take()
    }
}
