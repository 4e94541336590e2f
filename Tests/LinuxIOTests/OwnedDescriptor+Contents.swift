import Glibc
import LinuxIO
import SystemPackage

extension OwnedDescriptor {
    /// The first 4 KiB as text.
    func contents() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // The buffer is as long as it says.
        let count = try Errno.retry { unsafe Glibc.read(raw, &buffer, buffer.count) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
