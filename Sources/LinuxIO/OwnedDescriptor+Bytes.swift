import Glibc
package import SystemPackage

extension OwnedDescriptor {
    /// Writes all of `bytes` at the file's position, in as many calls as it takes.
    package func write(_ bytes: [UInt8]) throws(Errno) {
        var written = 0
        while written < bytes.count {
            let count = try Errno.retry {
                // The buffer outlives the call and is not read beyond its end.
                unsafe bytes.withUnsafeBytes { buffer in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                    return unsafe Glibc.write(raw, rest.baseAddress, rest.count)
                }
            }
            written += count
        }
    }

    /// The next bytes, at most `limit`; none at the end.
    package func read(upTo limit: Int) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = try Errno.retry {
            // The buffer outlives the call and has `limit` bytes.
            unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(raw, $0.baseAddress, limit) }
        }
        bytes.removeLast(limit - count)
        return bytes
    }
}
