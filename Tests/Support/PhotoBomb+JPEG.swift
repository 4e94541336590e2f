extension PhotoBomb {
    package static let jpegs = [
        PhotoBomb("JPEG of 65 535 pixels a side", jpegHead(side: 65535, isProgressive: false) + [0xFF, 0xD9]),
        PhotoBomb(
            "JPEG with a thousand scans",
            jpegHead(side: 4000, isProgressive: true) + (0..<1000).flatMap { _ in emptyScan(side: 4000) } + [
                0xFF, 0xD9,
            ]
        ),
        PhotoBomb("JPEG with 100 MB of Exif", segments(0xE1, name: "Exif\0\0", count: 1600)),
        PhotoBomb("JPEG with 100 MB of profiles", segments(0xE2, name: "ICC_PROFILE\0\u{1}\u{FF}", count: 1600)),
        PhotoBomb("JPEG with 100 MB of comments", segments(0xFE, name: "", count: 1600)),
        PhotoBomb("JPEG with 3,900 lists of pictures", lists(3900) + [0xFF, 0xD9]),
    ]

    private static let start: [UInt8] = [0xFF, 0xD8]

    /// Gray, with tables whose only codes are one bit long: no difference, and a run of 32767 empty blocks.
    private static func jpegHead(side: Int, isProgressive: Bool) -> [UInt8] {
        let lengths = [1] + [UInt8](repeating: 0, count: 15)
        return start + jpegSegment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + jpegSegment(isProgressive ? 0xC2 : 0xC0, [8] + bigEndian(side, 2) + bigEndian(side, 2) + [1, 1, 0x11, 0])
            + jpegSegment(0xC4, [0] + lengths + [0]) + jpegSegment(0xC4, [0x10] + lengths + [0xE0])
    }

    /// An empty scan of all coefficients but the first.
    private static func emptyScan(side: Int) -> [UInt8] {
        let blocks = (side + 7) / 8 * ((side + 7) / 8)
        let runs = (blocks + 32766) / 32767
        // A run is the code and 14 one bits; a byte 0xFF is followed by a zero byte.
        let bits = (0..<runs).flatMap { _ in [false] + [Bool](repeating: true, count: 14) }
        let padded = bits + [Bool](repeating: true, count: (8 - bits.count % 8) % 8)
        let coded = stride(from: 0, to: padded.count, by: 8).flatMap { start -> [UInt8] in
            let byte = padded[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            return byte == 0xFF ? [0xFF, 0] : [byte]
        }
        return jpegSegment(0xDA, [1, 1, 0x10, 1, 63, 0]) + coded
    }

    /// Multi-Picture Format segments (CIPA DC-007, 5.2) with one directory, of as many lists, and pictures in them, as
    /// are read. It is in a comment, with zeros behind it for the lists.
    private static func lists(_ count: Int) -> [UInt8] {
        let directory = start.count + 16 * count + 4
        let list = bigEndian(0xB002, 2) + bigEndian(7, 2) + bigEndian(1024) + bigEndian(directory + 770)
        let comment = bigEndian(64, 2) + [[UInt8]](repeating: list, count: 64).flatMap(\.self)
        let segments = (0..<count).flatMap { index -> [UInt8] in
            // Offsets are from here.
            let header = start.count + 16 * index + 8
            return jpegSegment(0xE2, Array("MPF\0MM\0*".utf8) + bigEndian(directory - header))
        }
        return start + segments + jpegSegment(0xFE, comment + [UInt8](repeating: 0, count: 1024 + 16 * count))
    }

    private static func segments(_ marker: UInt8, name: String, count: Int) -> [Piece] {
        let head = [0xFF, marker] + bigEndian(65535, 2) + Array(name.unicodeScalars.map { UInt8($0.value) })
        let hole = 65535 + 2 - head.count
        return [.bytes(start)] + (0..<count).flatMap { _ in [Piece.bytes(head), .hole(hole)] } + [.bytes([0xFF, 0xD9])]
    }
}
