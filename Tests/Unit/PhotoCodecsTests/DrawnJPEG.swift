import TestSupport

/// JPEG files for tests: every block of 8 × 8 pixels has one color, exactly. Each sample is coded as a DC coefficient
/// with quantizer 8, so what libjpeg decodes is the sample itself at every scale.
struct DrawnJPEG {
    var width: Int
    var height: Int
    /// One sample per component for the block at (x, y).
    var color: (Int, Int) -> [UInt8]
    /// The color transform of Adobe's marker; without it three components are YCbCr. 0 means RGB or CMYK.
    var adobeTransform: UInt8?
    var precision: UInt8 = 8
    var exif: [UInt8] = []
    /// The parts of an ICC profile, one segment each.
    var profilePieces: [[UInt8]] = []
    /// The parts to write, in order; nil for all.
    var pieceOrder: [Int]?
    var isProgressive = false
    /// How often the DC scan is repeated; progressive only. One AC scan per component follows.
    var dcScans = 1

    func bytes() -> [UInt8] {
        let components = color(0, 0).count
        var file: [UInt8] = [0xFF, 0xD8]
        if !exif.isEmpty { file += jpegSegment(0xE1, Array("Exif\0\0".utf8) + exif) }
        for index in pieceOrder ?? Array(profilePieces.indices) {
            let name = Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(profilePieces.count)]
            file += jpegSegment(0xE2, name + profilePieces[index])
        }
        if let adobeTransform { file += jpegSegment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, adobeTransform]) }
        file += jpegSegment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
        let size = bigEndian(height, 2) + bigEndian(width, 2)
        file += jpegSegment(
            isProgressive ? 0xC2 : 0xC0,
            [precision] + size + [UInt8(components)] + (1...components).flatMap { [UInt8($0), 0x11, 0] })
        // DC: the categories 0…11, each with four bits. AC: "end of block" with one bit.
        file += jpegSegment(0xC4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0...11))
        file += jpegSegment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
        let spectrum: [UInt8] = isProgressive ? [0, 0, 0] : [0, 63, 0]
        let header = jpegSegment(0xDA, [UInt8(components)] + (1...components).flatMap { [UInt8($0), 0x00] } + spectrum)
        let scan = header + entropyCoded(components: components)
        for _ in 0..<(isProgressive ? dcScans : 1) { file += scan }
        for component in 1...components where isProgressive {
            // "End of block" for every block: all these coefficients are zero.
            let blocks = (width + 7) / 8 * ((height + 7) / 8)
            let ends = [UInt8](repeating: 0, count: blocks / 8) + (blocks % 8 == 0 ? [] : [0xFF >> UInt8(blocks % 8)])
            file += jpegSegment(0xDA, [1, UInt8(component), 0, 1, 63, 0]) + ends
        }
        return file + [0xFF, 0xD9]
    }

    private func entropyCoded(components: Int) -> [UInt8] {
        var bits = BitWriter()
        var previous = [Int](repeating: 0, count: components)
        for y in 0..<(height + 7) / 8 {
            for x in 0..<(width + 7) / 8 {
                for (component, sample) in color(x, y).enumerated() {
                    let value = Int(sample) - 128
                    let difference = value - previous[component]
                    previous[component] = value
                    bits.append(CodedJPEG.size(of: difference), count: 4)
                    bits.append(number: difference)
                    if !isProgressive { bits.append(0, count: 1) }
                }
            }
        }
        return bits.finished()
    }
}

extension DrawnJPEG {
    /// RGB, exactly.
    init(width: Int, height: Int, rgb color: @escaping (Int, Int) -> [UInt8]) {
        self.init(width: width, height: height, color: color, adobeTransform: 0)
    }
}
