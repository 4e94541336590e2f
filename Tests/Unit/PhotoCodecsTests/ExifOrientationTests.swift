import PhotoCodecs
import Testing

struct ExifOrientationTests {
    @Test("Every orientation is read in both byte orders", arguments: ExifOrientation.allCases, [true, false])
    func reads(orientation: ExifOrientation, isLittleEndian: Bool) {
        let exif = DrawnExif.block(orientation: orientation.rawValue, isLittleEndian: isLittleEndian)
        #expect(ExifOrientation(exif: exif) == orientation)
    }

    @Test("Values out of range mean upright", arguments: [0, 9, 255, 65535])
    func ignores(value: Int) {
        #expect(ExifOrientation(exif: DrawnExif.block(orientation: value)) == .upright)
    }

    @Test("A block truncated before the value means upright, at every length", arguments: 0..<32)
    func survivesCut(length: Int) {
        #expect(ExifOrientation(exif: Array(DrawnExif.block(orientation: 6).prefix(length))) == .upright)
    }

    @Test("A directory that points outside the block means upright", arguments: [46, 0x7FFF_FFFF, 0xFFFF_FFFF])
    func survivesOffset(offset: Int) {
        var exif = DrawnExif.block(orientation: 6)
        for byte in 0..<4 { exif[4 + byte] = UInt8(truncatingIfNeeded: offset >> (8 * byte)) }
        #expect(ExifOrientation(exif: exif) == .upright)
    }
}
