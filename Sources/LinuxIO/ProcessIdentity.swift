internal import CLinuxShims
import Glibc
package import SystemPackage

/// One process, distinguished from later ones with its PID and from those with its PID in another namespace.
package struct ProcessIdentity: Hashable, Sendable {
    /// The PID in the process's own namespace.
    package let id: Int32
    /// The start time, in clock ticks since boot (proc(5), the 22nd field of `stat`).
    private let started: UInt64
    /// The inode of its PID namespace.
    private let namespace: UInt64

    private static let startField = 22
    private static let maxStatBytes = 4096

    /// This process.
    package static func current() throws(Errno) -> ProcessIdentity { try ProcessIdentity(of: getpid()) }

    /// The process that has this PID in our namespace now.
    package init(of id: Int32) throws(Errno) {
        self.id = id
        started = try Self.startTime(of: id)
        namespace = try Self.ownNamespace()
    }

    /// Signals this process and no other.
    ///
    /// - Throws: `Errno.noSuchProcess` if it has ended or has another PID here, or the error of pidfd_send_signal(2).
    package func signal(_ signal: Int32) throws(Errno) {
        guard id > 0, try Self.ownNamespace() == namespace else { throw .noSuchProcess }
        let process = OwnedDescriptor(owning: try Errno.retry { linux_pidfd_open(id) })
        // Check after opening the descriptor: if the PID still belongs to this process, so does the descriptor.
        guard try Self.startTime(of: id) == started else { throw .noSuchProcess }
        _ = try Errno.retry { linux_pidfd_signal(process.raw, signal) }
    }

    /// Whether this process has certainly ended; false for one in another PID namespace.
    package var hasEnded: Bool {
        guard id > 0, (try? Self.ownNamespace()) == namespace else { return false }
        // Other users' processes may be hidden in /proc, but not from kill(2).
        if kill(id, 0) != 0, errno == ESRCH { return true }
        return (try? Self.startTime(of: id)).map { $0 != started } ?? false
    }

    private static func startTime(of id: Int32) throws(Errno) -> UInt64 {
        let file = try OwnedDescriptor(opening: FilePath("/proc/\(id)/stat"))
        let text = String(decoding: try file.read(upTo: maxStatBytes), as: UTF8.self)
        // The second field is the name in parentheses, which may contain spaces and parentheses.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > startField - 2, let time = UInt64(fields[startField - 2]) else { throw .noSuchProcess }
        return time
    }

    private static func ownNamespace() throws(Errno) -> UInt64 {
        let file = try OwnedDescriptor(opening: "/proc/self/ns/pid")
        return try FileStatus(ofDescriptor: file.raw).identity.inode
    }
}

extension ProcessIdentity: LosslessStringConvertible {
    /// PID, start and namespace, separated by spaces.
    package var description: String { "\(id) \(started) \(namespace)" }

    /// The inverse of `description`. A PID alone, as written by earlier releases, gives a process that cannot be
    /// signaled.
    package init?(_ description: String) {
        let words = description.split(separator: " ")
        guard let id = words.first.flatMap({ Int32($0) }) else { return nil }
        let numbers = words.dropFirst().compactMap { UInt64($0) }
        self.id = id
        (started, namespace) = numbers.count == 2 ? (numbers[0], numbers[1]) : (0, 0)
    }
}
