import Glibc
import LinuxIO
import SystemPackage
import TestSupport

/// Makes and renames links, FIFOs and folders. The strings outlive every call.
extension TemporaryFolder {
    func link(_ name: String, to target: String) throws {
        _ = try Errno.retry { unsafe symlink(target, self[name].string) }
    }

    func makeFIFO(_ name: String) throws {
        _ = try Errno.retry { unsafe mkfifo(self[name].string, 0o600) }
    }

    func makeFolder(_ name: String) throws {
        _ = try Errno.retry { unsafe mkdir(self[name].string, 0o700) }
    }

    func removeFolder(_ name: String) throws {
        _ = try Errno.retry { unsafe rmdir(self[name].string) }
    }

    func move(_ name: String, to other: String) throws {
        _ = try Errno.retry { unsafe rename(self[name].string, self[other].string) }
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
