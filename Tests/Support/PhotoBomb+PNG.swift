extension PhotoBomb {
    package static let pngs = [
        PhotoBomb("PNG of 10 gigapixels", png(side: (100_000, 100_000), content: zeros(1000))),
        PhotoBomb("PNG of 2 147 483 647 pixels in a row", png(side: (0x7FFF_FFFF, 1), content: zeros(1000))),
        PhotoBomb(
            "PNG with 90 megapixels in 600 kB", isHarmless: true,
            png(side: (10_000, 9000), content: zeros(10_001 * 9000))),
        PhotoBomb(
            "Interlaced PNG of 90 megapixels", isHarmless: true,
            png(side: (10_000, 9000), isInterlaced: true, content: zeros(100_000_000))),
        PhotoBomb(
            "PNG with more data after its picture", isHarmless: true, png(side: (8, 8), content: zeros(100_000_000))),
        PhotoBomb(
            "PNG whose profile expands to 300 MB", isHarmless: true,
            png(side: (8, 8), chunks: [("iCCP", Array("p\0\0".utf8) + zeros(300_000_000))], content: zeros(72))),
        PhotoBomb(
            "PNG whose text expands to 300 MB", isHarmless: true,
            png(side: (8, 8), chunks: [("zTXt", Array("t\0\0".utf8) + zeros(300_000_000))], content: zeros(72))),
        PhotoBomb(
            "PNG whose international text expands to 300 MB", isHarmless: true,
            png(side: (8, 8), chunks: [("iTXt", Array("t\0\u{1}\0\0\0".utf8) + zeros(300_000_000))], content: zeros(72))
        ),
        PhotoBomb(
            "PNG with 100 MB of Exif", isHarmless: true,
            [
                .bytes(signature + pngChunk("IHDR", header((8, 8), false)) + bigEndian(100 << 20) + Array("eXIf".utf8)),
                .hole(100 << 20),
                .bytes(bigEndian(0) + pngChunk("IDAT", zeros(72)) + pngChunk("IEND", [])),
            ]),
    ]

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// 8-bit gray.
    private static func header(_ side: (Int, Int), _ isInterlaced: Bool) -> [UInt8] {
        let form: [UInt8] = [8, 0, 0, 0, isInterlaced ? 1 : 0]
        return bigEndian(side.0) + bigEndian(side.1) + form
    }

    private static func png(
        side: (Int, Int), isInterlaced: Bool = false, chunks: [(String, [UInt8])] = [], content: [UInt8]
    ) -> [UInt8] {
        signature + pngChunk("IHDR", header(side, isInterlaced)) + chunks.flatMap(pngChunk) + pngChunk("IDAT", content)
            + pngChunk("IEND", [])
    }

    /// At least this number of zeros (at most 2063 more), compressed nearly as well as zlib can: one literal, then
    /// matches of 258 bytes at distance one (RFC 1951, 3.2.6).
    static func zeros(_ count: Int) -> [UInt8] {
        // Codes are packed from the lowest bit: the last block with fixed codes, a zero, and a match.
        let literal = "11" + "0" + "00110000"
        let match = "11000101" + "00000"
        let rounds = (count - 259 + 2063) / 2064
        let start = bytes(literal + match)
        let round = bytes(String(repeating: match, count: 8))
        let body = start + (0..<max(rounds, 0)).flatMap { _ in round } + bytes("00000000")
        // Adler-32 of n zeros: 1 and n.
        let total = 259 + max(rounds, 0) * 2064
        return [0x78, 0x9C] + body + bigEndian((total % 65521) << 16 | 1)
    }

    private static func bytes(_ bits: String) -> [UInt8] {
        let bits = bits.map { $0 == "1" }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { byte, bit in bits[start + bit] ? byte | 1 << UInt8(bit) : byte }
        }
    }
}
