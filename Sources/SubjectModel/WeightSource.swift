#if canImport(Glibc)
internal import Glibc
#endif

/// Where the bytes of a weight file come from. They are read piece by piece: a large file is never whole in memory.
protocol WeightSource {
    var byteCount: Int { get }

    /// Calls `body` once with the bytes of `range`, which lies within the file.
    ///
    /// - Throws: `.badWeights` if the file cannot be read or has become shorter.
    func read(_ range: Range<Int>, _ body: (RawSpan) -> Void) throws(SubjectModelError)
}

/// A file in memory.
struct WeightArray: WeightSource {
    let bytes: [UInt8]
    var byteCount: Int { bytes.count }

    func read(_ range: Range<Int>, _ body: (RawSpan) -> Void) {
        // Bytes have no padding that could be read uninitialized.
        body(unsafe bytes.span.bytes.extracting(range))
    }
}

/// A regular file behind a descriptor, which is borrowed for as long as this value is used; never moves its offset.
package struct WeightDescriptor: WeightSource {
    private let descriptor: Int32
    let byteCount: Int

    /// - Throws: `.badWeights` if it is no file of a size that a network can have.
    package init(_ descriptor: Int32) throws(SubjectModelError) {
        var status = stat()
        // One record, written by the call.
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SubjectModelError(.badWeights, "it is not a file")
        }
        guard status.st_size <= Safetensors.sizeLimit else {
            throw SubjectModelError(
                .badWeights, "it has \(status.st_size) bytes; the limit is \(Safetensors.sizeLimit)")
        }
        self.descriptor = descriptor
        byteCount = Int(status.st_size)
    }

    func read(_ range: Range<Int>, _ body: (RawSpan) -> Void) throws(SubjectModelError) {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var filled = 0
        while filled < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                // The buffer outlives the call and is not written beyond its end.
                return unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SubjectModelError(.badWeights, "it cannot be read to its end") }
            filled += count
        }
        // Bytes have no padding that could be read uninitialized.
        body(unsafe bytes.span.bytes)
    }
}
