import CLinuxShims
import Glibc
package import SystemPackage

/// Copies parts of files without reading them into this process.
extension OwnedDescriptor {
    /// The most bytes that one call copies, so that a signal does not wait for a whole file.
    private static let maxCopied = 64 << 20
    /// The most bytes read at a time if the kernel cannot copy.
    private static let chunk = 1 << 20
    /// Errors that mean that copy_file_range(2) does not work with these files, or that a filter forbids it.
    private static let unsupported: Set<Errno> = [
        .noFunction, .improperLink, .invalidArgument, .notSupported, .notPermitted, .badFileDescriptor,
    ]

    /// Appends a range of another file at this file's position, by copy_file_range(2) if that works.
    ///
    /// - Parameters:
    ///   - source: an open file, whose position does not change.
    ///   - range: offsets in it.
    /// - Throws: `Errno.ioError` if it is shorter.
    package func write(from source: borrowing OwnedDescriptor, _ range: Range<Int>) throws(Errno) {
        var offset = Int64(range.lowerBound)
        let end = Int64(range.upperBound)
        while offset < end {
            do throws(Errno) {
                let count = min(Int(end - offset), Self.maxCopied)
                // `offset` outlives the call. Some file systems copy nothing instead of failing.
                guard try Errno.retry({ unsafe linux_copy_file_range(source.raw, &offset, raw, count) }) > 0 else {
                    break
                }
            } catch {
                guard Self.unsupported.contains(error) else { throw error }
                break
            }
        }
        while offset < end {
            let bytes = try source.read(at: Int(offset), upTo: min(Int(end - offset), Self.chunk))
            guard !bytes.isEmpty else { throw .ioError }
            try write(bytes)
            offset += Int64(bytes.count)
        }
    }
}
