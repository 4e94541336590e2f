internal import FoundationEssentials

/// The table of contents of a safetensors file, checked against the file's length; the numbers stay in the file.
///
/// Layout: 8 bytes little-endian header length, a JSON header, raw little-endian tensors
/// (https://github.com/huggingface/safetensors).
struct Safetensors: Sendable {
    struct Tensor: Sendable {
        let shape: [Int]
        /// Where the fp16 numbers lie in the file; within its bounds, and as long as the shape says.
        let bytes: Range<Int>
        var count: Int { bytes.count / MemoryLayout<Float16>.size }
    }

    /// Ours is 31 kB; the bound rejects a damaged length.
    private static let headerLimit = 1 << 20
    private static let lengthSize = 8

    let metadata: [String: String]
    private let tensors: [String: Tensor]

    init(_ file: RawSpan) throws(SubjectModelError) {
        guard file.byteCount >= Self.lengthSize else {
            throw SubjectModelError(.badWeights, "\(file.byteCount) bytes are too few for a safetensors file")
        }
        let length = (0..<Self.lengthSize).reduce(UInt64(0)) { $0 | UInt64(file.byte(at: $1)) << (8 * $1) }
        guard length <= Self.headerLimit, length <= file.byteCount - Self.lengthSize else {
            throw SubjectModelError(.badWeights, "the header's length of \(length) bytes does not fit the file")
        }
        let start = Self.lengthSize + Int(length)
        let text = Data((Self.lengthSize..<start).map { file.byte(at: $0) })
        let header: SafetensorsHeader
        do {
            header = try JSONDecoder().decode(SafetensorsHeader.self, from: text)
        } catch {
            throw SubjectModelError(.badWeights, "the header is not the JSON of a safetensors file: \(error)")
        }
        var tensors: [String: Tensor] = [:]
        for (name, entry) in header.entries {
            tensors[name] = try Self.place(entry, called: name, from: start, in: file.byteCount)
        }
        self.metadata = header.metadata
        self.tensors = tensors
    }

    /// The tensor of that name, which must have exactly that shape.
    func tensor(_ name: String, shape: [Int]) throws(SubjectModelError) -> Tensor {
        guard let tensor = tensors[name] else { throw SubjectModelError(.badWeights, "there is no tensor \(name)") }
        guard tensor.shape == shape else {
            throw SubjectModelError(.badWeights, "\(name) has shape \(tensor.shape) where the graph needs \(shape)")
        }
        return tensor
    }

    private static func place(
        _ entry: SafetensorsHeader.Entry, called name: String, from start: Int, in fileSize: Int
    ) throws(SubjectModelError) -> Tensor {
        guard entry.dtype == "F16" else {
            throw SubjectModelError(.unsupportedNetwork, "\(name) is \(entry.dtype); weights must be F16")
        }
        var size = MemoryLayout<Float16>.size
        for side in entry.shape {
            let (product, overflow) = size.multipliedReportingOverflow(by: side)
            guard side > 0, !overflow else { throw SubjectModelError(.badWeights, "\(name) has shape \(entry.shape)") }
            size = product
        }
        guard let low = entry.offsets.first, let high = entry.offsets.last, entry.offsets.count == 2,
            low >= 0, low <= high, high <= fileSize - start, high - low == size
        else {
            throw SubjectModelError(
                .badWeights, "\(name) lies at \(entry.offsets), outside the file or of a wrong length")
        }
        return Tensor(shape: entry.shape, bytes: start + low..<start + high)
    }
}

extension RawSpan {
    func byte(at offset: Int) -> UInt8 {
        // Bounds-checked; any bit pattern is a UInt8.
        unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
    }

    /// Widens the fp16 numbers of `tensor` into `floats`, from `index` on.
    func widen(_ tensor: Safetensors.Tensor, into floats: inout MutableSpan<Float>, at index: Int) {
        for position in 0..<tensor.count {
            let offset = tensor.bytes.lowerBound + position * MemoryLayout<Float16>.size
            // Bounds-checked; any bit pattern is a UInt16.
            let bits = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
            floats[index + position] = Float(Float16(bitPattern: UInt16(littleEndian: bits)))
        }
    }
}
