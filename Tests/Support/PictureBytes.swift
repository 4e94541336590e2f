/// The bytes of a number in a file.
package func bigEndian(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

package func littleEndian(_ value: Int, _ count: Int = 4) -> [UInt8] { bigEndian(value, count).reversed() }

private let checkSums = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { (sum: UInt32, _) -> UInt32 in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
}

/// A chunk of a PNG with its checksum (W3C PNG, 5.3 and annex D).
package func pngChunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    let named = Array(type.utf8) + body
    let sum = named.reduce(UInt32.max) { checkSums[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    return bigEndian(body.count) + named + bigEndian(Int(~sum))
}

/// A segment of a JPEG.
package func jpegSegment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker] + bigEndian(body.count + 2, 2) + body
}

/// A box of a HEIF file (ISO/IEC 14496-12).
package func box(_ type: String, _ body: [UInt8]) -> [UInt8] { bigEndian(body.count + 8) + Array(type.utf8) + body }

/// The first box of that type, with its head, found by its name only.
package func firstBox(_ type: String, in file: [UInt8]) -> [UInt8]? {
    let name = file.indices.dropFirst(4).dropLast(4).first { file[$0..<$0 + 4].elementsEqual(type.utf8) }
    return name.map { name in
        Array(file[name - 4..<name - 4 + file[name - 4..<name].reduce(0) { $0 << 8 | Int($1) }])
    }
}
