import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

/// Five, six and seven eighths of a JPEG's size, for which the file is decoded at full size.
struct EighthsTests {
    /// Photos of 4:2:0, of sizes that are no multiples of 8, of one channel, and of one row.
    private static let photos = [
        CodedJPEG(across: 9, down: 7, factor: 2, share: 0.2, seed: 3).inOneScan(),
        DrawnJPEG(width: 203, height: 117) { x, y in [UInt8(x * 9), UInt8(y * 15), UInt8(x * y % 256)] }.bytes(),
        DrawnJPEG(width: 1, height: 100) { x, y in [UInt8(x * 9), UInt8(y * 15), 7] }.bytes(),
        DrawnJPEG(width: 99, height: 1) { x, _ in [UInt8(x * 20)] }.bytes(),
    ]

    @Test("Every pixel is the mean of the area that it covers", arguments: photos.indices, 5...7)
    func whole(photo: Int, eighths: Int) throws {
        let full = try decode(Self.photos[photo], 1000).raster
        let longer = max(full.width, full.height)
        let reduced = try decode(Self.photos[photo], (longer * eighths + 7) / 8).raster
        let (width, height) = ((full.width * eighths + 7) / 8, (full.height * eighths + 7) / 8)
        #expect((reduced.width, reduced.height) == (width, height))
        let isEqual = reduced.pixels == Self.reduced(full, eighths: eighths, x: 0..<width, y: 0..<height)
        #expect(isEqual)
    }

    @Test(
        "A region has the same pixels, also at the border",
        arguments: [
            (photo: 0, rect: PixelRect(x: 37, y: 42, width: 61, height: 50)),
            (0, PixelRect(x: 0, y: 64, width: 80, height: 1)), (0, PixelRect(x: 130, y: 3, width: 14, height: 109)),
            (1, PixelRect(x: 150, y: 60, width: 53, height: 57)), (1, PixelRect(x: 201, y: 0, width: 2, height: 117)),
            (1, PixelRect(x: 0, y: 114, width: 203, height: 3)),
        ], 5...7)
    func region(_ part: (photo: Int, rect: PixelRect), eighths: Int) throws {
        let (bytes, rect) = (Self.photos[part.photo], part.rect)
        let full = try decode(bytes, 1000).raster
        let longer = Int(max(rect.width, rect.height))
        let decoded = try PhotoDecoder().decode(.bytes(bytes), workingSide: (longer * eighths + 7) / 8, region: rect)
        func scaled(_ start: Double, _ length: Double) -> Range<Int> {
            Int(start) * eighths / 8..<(Int(start + length) * eighths + 7) / 8
        }
        let (x, y) = (scaled(rect.x, rect.width), scaled(rect.y, rect.height))
        #expect(decoded.region.x == Double(x.lowerBound * 8) / Double(eighths))
        #expect((decoded.raster.width, decoded.raster.height) == (x.count, y.count))
        let isEqual = decoded.raster.pixels == Self.reduced(full, eighths: eighths, x: x, y: y)
        #expect(isEqual)
    }

    @Test("Inks have the same color at these scales, with and without a profile", arguments: 5...7)
    func inks(eighths: Int) throws {
        var drawn = DrawnJPEG(width: 120, height: 80, color: { _, _ in [20, 90, 160, 230] }, adobeTransform: 0)
        for profile in [[], [try FuzzCorpus.profile("inks")]] {
            drawn.profilePieces = profile
            let full = try decode(drawn.bytes(), 1000).raster
            let reduced = try decode(drawn.bytes(), 15 * eighths).raster
            #expect((reduced.width, reduced.height) == (15 * eighths, 10 * eighths))
            let isEqual = reduced.pixels == Array(full.pixels.prefix(reduced.pixels.count))
            #expect(isEqual)
        }
    }

    /// The pixels at `x`, `y` of an image reduced to `eighths`.
    private static func reduced(_ full: Raster, eighths: Int, x: Range<Int>, y: Range<Int>) -> [UInt8] {
        /// The input position under each eighth of an output position. Beyond the border, it is the border's.
        func positions(_ output: Int, of count: Int) -> [Int] {
            (output * 8..<output * 8 + 8).map { min($0 / eighths, count - 1) }
        }
        return y.flatMap { row in
            x.flatMap { column in
                (0..<Raster.channels).map { channel in
                    var sum = 32
                    for down in positions(row, of: full.height) {
                        for across in positions(column, of: full.width) {
                            sum += Int(full.pixels[(down * full.width + across) * Raster.channels + channel])
                        }
                    }
                    return UInt8(sum / 64)
                }
            }
        }
    }
}
