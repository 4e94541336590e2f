import CLinuxShims
import Glibc
package import SystemPackage

/// A descriptor that becomes readable when anybody, on any thread, raises it: wakes a poll(2).
package struct WakeSignal: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    /// - Throws: where there is no descriptor to spare.
    package init() throws(Errno) {
        descriptor = OwnedDescriptor(owning: try Errno.retry { linux_eventfd() })
    }

    /// For poll(2): readable from `raise` to `lower`.
    package var raw: Int32 { descriptor.raw }

    package func raise() {
        var one: UInt64 = 1
        // eventfd(2): eight bytes. A full counter (EAGAIN) is raised already.
        _ = unsafe write(raw, &one, MemoryLayout<UInt64>.size)
    }

    package func lower() {
        var count: UInt64 = 0
        // eventfd(2): eight bytes. EAGAIN means it was not raised.
        _ = unsafe read(raw, &count, MemoryLayout<UInt64>.size)
    }
}
