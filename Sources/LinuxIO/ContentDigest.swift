import CCrypto
import Glibc
package import SystemPackage

/// The SHA-256 of some bytes: what names a photo, whatever its file is called.
package struct ContentDigest: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// 64 lowercase hexadecimal digits.
    package var hex: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// How long `hex` is.
    package static let hexLength = 64

    private static let chunk = 256 * 1024

    /// - Throws: `Errno.noMemory`, nothing else.
    package static func sha256(of bytes: [UInt8]) throws(Errno) -> ContentDigest {
        let running = try RunningDigest.start()
        try running.update(bytes)
        return try running.finish()
    }

    /// Reads the file to its end by pread(2): the descriptor's offset stays where it is.
    ///
    /// - Parameters:
    ///   - start: the first byte, counted from the beginning of the file.
    ///   - progress: called after each part that was read.
    /// - Throws: `Errno.fileTooLarge` as soon as more than `limit` bytes have been read.
    package static func sha256(
        ofDescriptor descriptor: Int32, from start: Int = 0, limit: Int, progress: () -> Void = {}
    ) throws(Errno) -> ContentDigest {
        let running = try RunningDigest.start()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        // Allocated above, used by nobody else.
        defer { unsafe buffer.deallocate() }
        var position = start
        while true {
            // The buffer is `chunk` bytes long.
            let count = try Errno.retry { unsafe pread(descriptor, buffer.baseAddress, chunk, off_t(position)) }
            guard count > 0 else { return try running.finish() }
            position += count
            guard position - start <= limit else { throw .fileTooLarge }
            // pread filled the first `count` bytes.
            try unsafe running.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            progress()
        }
    }
}
