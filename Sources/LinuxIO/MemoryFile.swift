import CLinuxShims
package import SystemPackage

/// A sealed memfd, to pass bytes to a process that expects a file. It is freed when its last descriptor is closed.
package final class MemoryFile: Sendable {
    private let file: OwnedDescriptor

    package init(_ bytes: [UInt8]) throws(Errno) {
        file = OwnedDescriptor(owning: try Errno.retry { linux_memory_file() })
        try file.write(bytes)
        let raw = file.raw
        _ = try Errno.retry { linux_seal(raw) }
    }

    /// Borrowed: valid while this object lives.
    package var descriptor: Int32 { file.raw }
}
