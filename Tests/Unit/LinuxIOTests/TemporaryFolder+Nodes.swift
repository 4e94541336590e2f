import Glibc
import LinuxIO
import SystemPackage
import TestSupport

/// Makes links and FIFOs, and removes empty folders. The strings outlive every call.
extension TemporaryFolder {
    func link(_ name: String, to target: String) throws {
        _ = try Errno.retry { unsafe symlink(target, self[name].string) }
    }

    func makeFIFO(_ name: String) throws {
        _ = try Errno.retry { unsafe mkfifo(self[name].string, 0o600) }
    }

    func removeFolder(_ name: String) throws {
        _ = try Errno.retry { unsafe rmdir(self[name].string) }
    }
}

extension OwnedDescriptor {
    /// The first 4 KiB as text.
    func contents() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // Not written beyond the buffer's end.
        let count = try Errno.retry { unsafe Glibc.read(raw, &buffer, buffer.count) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
