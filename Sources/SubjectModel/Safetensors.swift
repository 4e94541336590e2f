internal import CNetworkLoops
internal import FoundationEssentials

/// The table of contents of a safetensors file, validated against the file's length. The numbers stay in the file.
///
/// Layout: 8 bytes little-endian header length, a JSON header, raw little-endian tensors
/// (https://github.com/huggingface/safetensors).
struct Safetensors: Sendable {
    /// How a number is stored.
    enum Kind: String, Sendable {
        case half = "F16"
        case single = "F32"

        var size: Int { self == .half ? MemoryLayout<Float16>.size : MemoryLayout<Float>.size }
    }

    struct Tensor: Sendable {
        let shape: [Int]
        let kind: Kind
        /// The numbers' range in the file: validated to be inside it, with the length that the shape requires.
        let bytes: Range<Int>
        var count: Int { bytes.count / kind.size }
    }

    /// Bytes; the embedded file's header has 33 kB. Rejects a damaged length.
    private static let headerLimit = 1 << 20
    /// Bytes; U²-Net in fp32 has 176 MB.
    static let sizeLimit = 1 << 30
    private static let lengthSize = 8

    let metadata: [String: String]
    private let tensors: [String: Tensor]

    init(_ file: some WeightSource) throws(SubjectModelError) {
        guard file.byteCount >= Self.lengthSize else {
            throw SubjectModelError(.badWeights, "the file has \(file.byteCount) bytes, too few for a safetensors file")
        }
        var length: UInt64 = 0
        try file.read(0..<Self.lengthSize) { bytes in
            length = (0..<Self.lengthSize).reduce(0) { $0 | UInt64(bytes.byte(at: $1)) << (8 * $1) }
        }
        guard length <= Self.headerLimit, length <= file.byteCount - Self.lengthSize else {
            throw SubjectModelError(.badWeights, "the header's length, \(length) bytes, exceeds the file or the limit")
        }
        let start = Self.lengthSize + Int(length)
        var text = Data()
        try file.read(Self.lengthSize..<start) { bytes in
            text = Data((0..<bytes.byteCount).map { bytes.byte(at: $0) })
        }
        let header: SafetensorsHeader
        do {
            header = try JSONDecoder().decode(SafetensorsHeader.self, from: text)
        } catch {
            throw SubjectModelError(.badWeights, "the header is not valid safetensors JSON: \(error)")
        }
        var tensors: [String: Tensor] = [:]
        for (name, entry) in header.entries {
            tensors[name] = try Self.place(entry, called: name, from: start, in: file.byteCount)
        }
        self.metadata = header.metadata
        self.tensors = tensors
    }

    /// The tensor of that name, which must have exactly this shape.
    func tensor(_ name: String, shape: [Int]) throws(SubjectModelError) -> Tensor {
        guard let tensor = tensors[name] else { throw SubjectModelError(.badWeights, "the tensor \(name) is missing") }
        guard tensor.shape == shape else {
            throw SubjectModelError(
                .badWeights, "the tensor \(name) has shape \(tensor.shape); the graph requires \(shape)")
        }
        return tensor
    }

    private static func place(
        _ entry: SafetensorsHeader.Entry, called name: String, from start: Int, in fileSize: Int
    ) throws(SubjectModelError) -> Tensor {
        guard let kind = Kind(rawValue: entry.dtype) else {
            throw SubjectModelError(.unsupportedNetwork, "the tensor \(name) is \(entry.dtype); expected F16 or F32")
        }
        var size = kind.size
        for side in entry.shape {
            let (product, overflow) = size.multipliedReportingOverflow(by: side)
            guard side > 0, !overflow else {
                throw SubjectModelError(.badWeights, "the tensor \(name) has the invalid shape \(entry.shape)")
            }
            size = product
        }
        guard let low = entry.offsets.first, let high = entry.offsets.last, entry.offsets.count == 2,
            low >= 0, low <= high, high <= fileSize - start, high - low == size
        else {
            throw SubjectModelError(
                .badWeights,
                "the data offsets \(entry.offsets) of the tensor \(name) exceed the file or do not match its shape")
        }
        return Tensor(shape: entry.shape, kind: kind, bytes: start + low..<start + high)
    }
}

extension RawSpan {
    func byte(at offset: Int) -> UInt8 {
        // Bounds-checked; any bit pattern is a UInt8.
        unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
    }
}

extension Safetensors.Tensor {
    /// Bytes of a tensor read at a time; a multiple of every number's size.
    private static let pieceSize = 1 << 20

    /// All numbers.
    ///
    /// - Throws: `.badWeights` if one of them is infinite or NaN.
    func numbers(from file: some WeightSource) throws(SubjectModelError) -> [Float] {
        var numbers = [Float](repeating: 0, count: count)
        var span = numbers.mutableSpan
        try widen(from: file, into: &span, at: 0)
        return numbers
    }

    /// Reads the numbers into `floats`, from `index` on.
    ///
    /// - Throws: `.badWeights` if one of them is infinite or NaN.
    func widen(
        from file: some WeightSource, into floats: inout MutableSpan<Float>, at index: Int
    ) throws(SubjectModelError) {
        let numbers = index..<index + count
        var next = index
        for start in stride(from: bytes.lowerBound, to: bytes.upperBound, by: Self.pieceSize) {
            try file.read(start..<min(start + Self.pieceSize, bytes.upperBound)) { piece in
                let count = piece.byteCount / kind.size
                unsafe floats.withUnsafeMutableBufferPointer { floats in
                    // Checks that they are inside the span. The piece has as many.
                    let floats = unsafe UnsafeMutableBufferPointer(rebasing: floats[next..<next + count])
                    unsafe piece.withUnsafeBytes { piece in
                        switch kind {
                        case .half: unsafe network_widen(piece.baseAddress, count, floats.baseAddress)
                        case .single: unsafe UnsafeMutableRawBufferPointer(floats).copyMemory(from: piece)
                        }
                    }
                }
                next += count
            }
        }
        let areFinite = unsafe floats.withUnsafeMutableBufferPointer { floats in
            // Checked again, so that they can be read.
            let floats = unsafe UnsafeMutableBufferPointer(rebasing: floats[numbers])
            return unsafe network_are_finite(floats.baseAddress, floats.count) != 0
        }
        guard areFinite else { throw SubjectModelError(.badWeights, "a weight is infinite or NaN") }
    }
}

/// The JSON at the start of a safetensors file: one entry per tensor, and strings under `__metadata__`.
struct SafetensorsHeader: Decodable {
    struct Entry: Decodable {
        enum CodingKeys: String, CodingKey {
            case dtype, shape
            case offsets = "data_offsets"
        }

        let dtype: String
        let shape: [Int]
        /// The first byte and the one after the last, relative to the end of the header.
        let offsets: [Int]
    }

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let metadataKey = "__metadata__"

    let metadata: [String: String]
    let entries: [String: Entry]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        var metadata: [String: String] = [:]
        var entries: [String: Entry] = [:]
        for key in container.allKeys {
            if key.stringValue == Self.metadataKey {
                metadata = try container.decode([String: String].self, forKey: key)
            } else {
                entries[key.stringValue] = try container.decode(Entry.self, forKey: key)
            }
        }
        self.metadata = metadata
        self.entries = entries
    }
}
