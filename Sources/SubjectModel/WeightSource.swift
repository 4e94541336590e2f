#if canImport(Glibc)
internal import Glibc
#endif
internal import CSubjectWeights

/// The bytes of a weight file, read in pieces, so that a large file is never in memory as a whole.
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
        // Bytes have no uninitialized padding.
        body(unsafe bytes.span.bytes.extracting(range))
    }
}

/// A regular file behind a descriptor, which is borrowed while this value is used; its offset does not change.
struct WeightDescriptor: WeightSource {
    private let descriptor: Int32
    let byteCount: Int

    /// - Parameter byteCount: the file's length, measured by the opener: fstat(3) makes a call that takes a path, which
    ///   a worker may not.
    /// - Throws: `.badWeights` if that is too large for a network.
    init(_ descriptor: Int32, byteCount: Int) throws(SubjectModelError) {
        guard (0...Safetensors.sizeLimit).contains(byteCount) else {
            throw SubjectModelError(.badWeights, "it has \(byteCount) bytes; the limit is \(Safetensors.sizeLimit)")
        }
        self.descriptor = descriptor
        self.byteCount = byteCount
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
            guard count > 0 else { throw SubjectModelError(.badWeights, "it cannot be read completely") }
            filled += count
        }
        // Bytes have no uninitialized padding.
        body(unsafe bytes.span.bytes)
    }
}

/// The safetensors file inside the binary.
struct EmbeddedWeights: WeightSource {
    var byteCount: Int { subject_weights_size() }

    func read(_ range: Range<Int>, _ body: (RawSpan) -> Void) {
        // The file is static and read-only.
        let file = unsafe UnsafeRawBufferPointer(start: subject_weights(), count: subject_weights_size())
        body(unsafe file.bytes.extracting(range))
    }

    /// Frees the memory that reading took; later reads take it again.
    static func unload() { subject_weights_unload() }
}

/// A model file, validated but not built. All its bytes are untrusted.
package struct SubjectModelFile: Sendable {
    let plan: NetworkPlan
    let source: WeightDescriptor

    /// - Parameters:
    ///   - descriptor: borrowed until the network is built.
    ///   - byteCount: the file's length.
    /// - Throws: `.badWeights` and `.unsupportedNetwork`.
    package init(descriptor: Int32, byteCount: Int) throws(SubjectModelError) {
        source = try WeightDescriptor(descriptor, byteCount: byteCount)
        plan = try NetworkPlan(source)
    }

    package var cost: NetworkCost { plan.cost }
}
