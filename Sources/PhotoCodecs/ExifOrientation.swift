/// How to turn the stored image upright: Exif tag 274, with its values.
package enum ExifOrientation: Int, Sendable, CaseIterable {
    case upright = 1
    case mirrored, upsideDown, flipped, transposed, quarterRight, transverse, quarterLeft

    /// Whether width and height are exchanged.
    package var swapsSides: Bool { rawValue >= ExifOrientation.transposed.rawValue }

    /// Reads the tag from an Exif block, beginning at its TIFF header. A malformed, missing or out-of-range tag is
    /// `upright`. Reads only the first directory, each entry once.
    package init(exif: [UInt8]) {
        self = Self.value(in: exif).flatMap(ExifOrientation.init) ?? .upright
    }

    private static func value(in exif: [UInt8]) -> Int? {
        let isLittleEndian = exif.starts(with: [0x49, 0x49, 0x2A, 0])
        guard isLittleEndian || exif.starts(with: [0x4D, 0x4D, 0, 0x2A]) else { return nil }

        func number(at offset: Int, bytes count: Int) -> Int? {
            guard offset >= 0, offset <= exif.count - count else { return nil }
            let bytes = exif[offset..<offset + count]
            return isLittleEndian
                ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
        }

        guard let directory = number(at: 4, bytes: 4), let count = number(at: directory, bytes: 2) else { return nil }
        for entry in 0..<count {
            let offset = directory + 2 + entry * 12
            guard let tag = number(at: offset, bytes: 2) else { return nil }
            guard tag == 274 else { continue }
            let isOneShort = number(at: offset + 2, bytes: 2) == 3 && number(at: offset + 4, bytes: 4) == 1
            return isOneShort ? number(at: offset + 8, bytes: 2) : nil
        }
        return nil
    }
}
