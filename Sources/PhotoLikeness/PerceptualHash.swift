/// A perceptual hash of 256 bits: images that look the same differ in few bits, whatever their file format.
///
/// Bit `i` is the sign of the `i`-th lowest spatial frequency in the image's luminance, positive if set. That
/// is the DCT hash of Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions" (2010), in the size
/// of PDQ (Facebook, "The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm", 2019), with the
/// frequencies taken from the lowest up in all directions and compared with zero.
package struct PerceptualHash: Sendable, Hashable {
    package static let bitCount = 256
    /// Photos whose likenesses differ in at most this many bits are near-duplicates. See `Docs/Likeness.md`.
    package static let alike = 52
    package static let byteCount = bitCount / 8

    // Two halves: a SIMD4 of these is aligned to 32 bytes, but swift_task_alloc aligns to 16. If such a value lives
    // across an await, some layouts of the function's frame crash the process ("freed pointer was not the last
    // allocation").
    private let low: SIMD2<UInt64>
    private let high: SIMD2<UInt64>

    /// The bits, lowest frequency first.
    var words: SIMD4<UInt64> { SIMD4(lowHalf: low, highHalf: high) }

    init(words: SIMD4<UInt64>) {
        low = words.lowHalf
        high = words.highHalf
    }

    /// The number of bits in which the two differ: about 128 for unrelated images.
    package func distance(to other: PerceptualHash) -> Int {
        let different = words ^ other.words
        return (0..<4).reduce(0) { $0 + different[$1].nonzeroBitCount }
    }
}

// MARK: - In storage

extension PerceptualHash {
    /// 32 bytes, lowest frequency first, each byte's lowest bit first.
    package var bytes: [UInt8] {
        (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64($0 % 8 * 8)) }
    }

    /// Nil unless there are exactly 32 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var words = SIMD4<UInt64>()
        for (index, byte) in bytes.enumerated() { words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
        self.init(words: words)
    }
}

extension PerceptualHash: Codable {
    /// An array of the numbers in `bytes`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }

    /// - Throws: `DecodingError` unless there are 32 numbers of 0…255.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let likeness = PerceptualHash(bytes: try container.decode([UInt8].self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A likeness has \(Self.byteCount) bytes")
        }
        self = likeness
    }
}

extension PerceptualHash: CustomStringConvertible {
    /// 64 hexadecimal digits, in the order of `bytes`.
    package var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
