import TestSupport

/// Exif blocks for tests, from the TIFF header on.
enum DrawnExif {
    /// One directory with the camera's maker and the orientation, which may be invalid.
    static func block(orientation: Int, isLittleEndian: Bool = true) -> [UInt8] {
        func number(_ value: Int, bytes: Int) -> [UInt8] {
            isLittleEndian ? littleEndian(value, bytes) : bigEndian(value, bytes)
        }
        func entry(tag: Int, type: Int, count: Int, value: [UInt8]) -> [UInt8] {
            number(tag, bytes: 2) + number(type, bytes: 2) + number(count, bytes: 4) + value
        }
        let order: [UInt8] = isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]
        return order + number(42, bytes: 2) + number(8, bytes: 4) + number(2, bytes: 2)
            + entry(tag: 271, type: 2, count: 4, value: Array("Cam\0".utf8))
            + entry(tag: 274, type: 3, count: 1, value: number(orientation, bytes: 2) + [0, 0])
            + number(0, bytes: 4)
    }
}
