import TestSupport

/// PNG files for tests, of every color type, depth and interlacing, uncompressed.
struct DrawnPNG {
    var width: Int
    var height: Int
    var colorType: UInt8
    var depth = 8
    var isInterlaced = false
    /// Chunks between header and image data, such as a palette.
    var chunks: [(String, [UInt8])] = []
    var chunksAfterPicture: [(String, [UInt8])] = []
    /// The samples of one pixel as stored.
    var samples: (Int, Int) -> [Int]

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    func bytes() -> [UInt8] {
        let header = bigEndian(width) + bigEndian(height) + [UInt8(depth), colorType, 0, 0, isInterlaced ? 1 : 0]
        return Self.signature + pngChunk("IHDR", header) + chunks.flatMap(pngChunk)
            + pngChunk("IDAT", Self.zlib(rows()))
            + chunksAfterPicture.flatMap(pngChunk) + pngChunk("IEND", [])
    }

    /// The types of a file's chunks in order, repeats of IDAT left out.
    static func chunkTypes(of file: [UInt8]) -> [String] {
        var types: [String] = []
        var offset = signature.count
        while offset + 12 <= file.count {
            let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: file[offset + 4..<offset + 8], as: UTF8.self)
            if type != "IDAT" || types.last != type { types.append(type) }
            offset += 12 + length
        }
        return types
    }

    static func profileChunk(_ profile: [UInt8]) -> (String, [UInt8]) {
        ("iCCP", Array("profile\0\0".utf8) + zlib(profile))
    }

    private func rows() -> [UInt8] {
        guard isInterlaced else { return pass(column: 0, row: 0, across: 1, down: 1) }
        return [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
            .flatMap(pass)
    }

    private func pass(column: Int, row: Int, across: Int, down: Int) -> [UInt8] {
        guard column < width else { return [] }
        return stride(from: row, to: height, by: down).flatMap { y -> [UInt8] in
            var bits: [Bool] = []
            for x in stride(from: column, to: width, by: across) {
                for sample in samples(x, y) {
                    for bit in (0..<depth).reversed() { bits.append(sample >> bit & 1 == 1) }
                }
            }
            while bits.count % 8 != 0 { bits.append(false) }
            let packed = stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            }
            return [0] + packed
        }
    }

    /// Stored blocks (RFC 1950, RFC 1951).
    private static func zlib(_ data: [UInt8]) -> [UInt8] {
        var low = 1
        var high = 0
        for byte in data {
            low = (low + Int(byte)) % 65521
            high = (high + low) % 65521
        }
        let blocks = stride(from: 0, to: data.count, by: 65535).flatMap { start -> [UInt8] in
            let block = data[start..<min(start + 65535, data.count)]
            let length = littleEndian(block.count, 2)
            return [start + 65535 >= data.count ? 1 : 0] + length + length.map { ~$0 } + block
        }
        return [0x78, 0x01] + blocks + bigEndian(high << 16 | low)
    }
}
