package import PhotoRaster

/// A perceptual hash of 256 bits: images that look alike differ in few bits, regardless of file format and size.
///
/// Bit `i` is the sign of the `i`-th lowest spatial frequency in the image's luminance, positive if set. That
/// is the DCT hash of Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions" (2010), in the size
/// of PDQ (Facebook, "The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm", 2019), with the
/// frequencies taken from the lowest up in all directions and compared with zero.
package struct PerceptualHash: Sendable, Hashable {
    package static let bitCount = 256
    /// Photos whose hashes differ in at most this many bits are near-duplicates. See `Docs/Likeness.md`.
    package static let alike = 52
    package static let byteCount = bitCount / 8

    // Two halves, because a SIMD4 of UInt64 is aligned to 32 bytes and swift_task_alloc aligns to 16. If such a value
    // lives across an await, some layouts of the function's frame crash the process ("freed pointer was not the last
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
                in: container, debugDescription: "A perceptual hash has \(Self.byteCount) bytes")
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

extension PerceptualHash {
    /// How many of the 256 frequencies must be strong enough that noise does not change their sign. Photos have at
    /// least 225; a wall or gradient with sensor noise has at most 88.
    private static let minStrong = 128

    /// The hash of an image as displayed: upright, transparent parts on white.
    ///
    /// All arithmetic is on integers, so that the same pixels give the same bits on every machine.
    ///
    /// - Returns: nil if the image has too little content to distinguish it from others.
    package init?(of raster: Raster) {
        let spectrum = Spectrum(of: LuminanceGrid(raster))
        var words = SIMD4<UInt64>()
        var strong = 0
        for (index, coefficient) in spectrum.lowest.enumerated() {
            if coefficient > 0 { words[index / 64] |= 1 << UInt64(index % 64) }
            if abs(coefficient) >= Spectrum.strong { strong += 1 }
        }
        guard strong >= Self.minStrong else { return nil }
        self.init(words: words)
    }
}

/// Perceptual hashes, oldest first, in one flat array. A search compares all of them: 100,000 take 0.2 ms.
package struct PerceptualHashList: Sendable {
    /// A hash within the limit.
    package struct Match: Sendable {
        /// The identifier given to `append`.
        package let id: Int64
        /// The number of different bits.
        package let distance: Int
    }

    private var ids: [Int64] = []
    /// Four words per hash.
    private var words: [UInt64] = []

    package init() {}

    /// The identifier of the newest hash.
    package var last: Int64? { ids.last }

    /// Adds a hash whose identifier is greater than all before it.
    package mutating func append(_ likeness: PerceptualHash, id: Int64) {
        ids.append(id)
        for index in 0..<4 { words.append(likeness.words[index]) }
    }

    /// All hashes that differ in at most `limit` bits and have an identifier below `end`, oldest first.
    package func matches(of likeness: PerceptualHash, within limit: Int, before end: Int64 = .max) -> [Match] {
        let (first, second) = (likeness.words[0], likeness.words[1])
        let (third, fourth) = (likeness.words[2], likeness.words[3])
        var matches: [Match] = []
        let words = words.span
        for index in ids.indices {
            let start = index * 4
            var distance = (words[start] ^ first).nonzeroBitCount + (words[start + 1] ^ second).nonzeroBitCount
            // Most unrelated hashes exceed the limit in these halves alone.
            guard distance <= limit else { continue }
            distance += (words[start + 2] ^ third).nonzeroBitCount + (words[start + 3] ^ fourth).nonzeroBitCount
            guard distance <= limit else { continue }
            guard ids[index] < end else { break }
            matches.append(Match(id: ids[index], distance: distance))
        }
        return matches
    }
}
