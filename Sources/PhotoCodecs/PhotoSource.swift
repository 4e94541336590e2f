#if canImport(Glibc)
import Glibc
#endif
internal import CPhotoShims

/// The bytes of one photo, in a file or in memory.
package enum PhotoSource: Sendable {
    /// An open regular file: borrowed, read by `pread` from offset 0 whatever its position, never closed, never mapped
    /// (a mapped file that shrinks kills the process).
    case descriptor(Int32)
    case bytes([UInt8])

    /// The current number of bytes. If the file grows later, only these are read.
    func count() throws(CodecError) -> UInt64 {
        switch self {
        case .bytes(let bytes): return UInt64(bytes.count)
        case .descriptor(let descriptor):
            let size = photo_file_size(descriptor)
            guard size != -Int64(ENOTSUP) else {
                throw CodecError(.unreadable, "Not a regular file; a photo must be a regular file")
            }
            guard size >= 0 else { throw .unreadable(systemError: Int32(-size)) }
            return UInt64(size)
        }
    }

    /// Lends the source to C, which must read no more than `count` bytes and not keep it beyond the call.
    func withCSource<Value>(count: UInt64, _ body: (photo_source) -> Value) -> Value {
        switch self {
        case .descriptor(let descriptor):
            // Without `bytes`, C reads from the descriptor.
            return unsafe body(photo_source(bytes: nil, descriptor: descriptor, count: count))
        case .bytes(let bytes):
            // The array outlives the call, and `count` is its length.
            return unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe body(photo_source(bytes: buffer.baseAddress, descriptor: -1, count: count))
            }
        }
    }

    /// The first bytes, enough to detect the format.
    func prefix(count: UInt64) throws(CodecError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: PhotoFormat.prefixLength)
        // C writes at most the given length.
        let got = unsafe withCSource(count: count) { source in
            unsafe withUnsafePointer(to: source) { unsafe photo_source_read($0, 0, &bytes, bytes.count) }
        }
        guard got >= 0 else { throw .unreadable(systemError: Int32(-got)) }
        return Array(bytes.prefix(got))
    }
}
