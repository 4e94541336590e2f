import CLinuxShims
package import SystemPackage

/// A file in memory, for a process that takes files. No process can write to it. It ends with its last descriptor.
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
