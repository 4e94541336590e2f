import CZlib

/// The chunks around a PNG's pixels (W3C PNG, 3rd edition, 5). The pixels are not decoded.
enum PNGFrame {
    /// The kinds of PNG that `PNGEncoder` writes.
    enum Kind {
        /// RGBA of exactly this size, marked as sRGB.
        case color(width: Int, height: Int)
        /// Grey, of any size with at most this many pixels.
        case gray(maxPixels: Int)
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let maxSide = Int(Int32.max)
    private static let maxChunkBytes = Int(Int32.max)

    private struct Chunk {
        let name: String
        let data: ArraySlice<UInt8>
    }

    /// - Throws: unless `file` has the signature, the header of `kind`, `sRGB` if it is in color, pixels, the end, with
    ///   correct checksums, and nothing else.
    static func check(_ file: ArraySlice<UInt8>, _ kind: Kind) throws(PictureDefect) {
        var reader = ChunkReader(file)
        guard let start = reader.take(signature.count), start.elementsEqual(signature) else {
            throw PictureDefect("is no PNG file")
        }
        let header = try next(&reader)
        guard header.name == "IHDR", let bytesNeeded = bytesNeeded(header.data, kind) else { throw .header }
        // Checked before any checksum is computed.
        guard file.count <= bytesNeeded else { throw .length }
        var chunk = try next(&reader)
        if case .color = kind {
            guard chunk.name == "sRGB", chunk.data.count == 1, chunk.data.allSatisfy({ $0 < 4 }) else { throw .chunk }
            chunk = try next(&reader)
        }
        var hasPixels = false
        while chunk.name == "IDAT" {
            hasPixels = hasPixels || !chunk.data.isEmpty
            chunk = try next(&reader)
        }
        guard chunk.name == "IEND", chunk.data.isEmpty else { throw .chunk }
        guard hasPixels else { throw .pixels }
        guard reader.rest.isEmpty else { throw PictureDefect("goes on after its end") }
    }

    /// The length of the longest file with such a header; nil if the header is not one of `kind`.
    private static func bytesNeeded(_ header: ArraySlice<UInt8>, _ kind: Kind) -> Int? {
        var reader = ChunkReader(header)
        guard let width = reader.bigEndian(), let height = reader.bigEndian(), width > 0, height > 0,
            width <= maxSide, height <= maxSide
        else { return nil }
        // 8 bits, the color type, deflate, PNG's filters, not interlaced.
        let isColor: Bool
        switch kind {
        case .color(let expectedWidth, let expectedHeight):
            guard width == expectedWidth, height == expectedHeight else { return nil }
            isColor = true
        case .gray(let maxPixels):
            let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
            guard !isTooLarge, pixels <= maxPixels else { return nil }
            isColor = false
        }
        guard reader.rest.elementsEqual([8, isColor ? 6 : 0, 0, 0, 0]) else { return nil }
        // Each row has a filter byte. Deflate adds at most a thousandth (zlib's compressBound), and each chunk of 8 KiB
        // has a frame of 12 bytes.
        let raw = (width * (isColor ? 4 : 1) + 1) * height
        return raw + raw / 256 + 1024
    }

    private static func next(_ reader: inout ChunkReader) throws(PictureDefect) -> Chunk {
        guard let length = reader.bigEndian(), length <= maxChunkBytes, let content = reader.take(4 + length),
            let sum = reader.bigEndian()
        else { throw .ending }
        // zlib reads exactly `count` bytes.
        let actual = unsafe content.withUnsafeBufferPointer { unsafe crc32_z(0, $0.baseAddress, $0.count) }
        guard sum == Int(actual) else { throw PictureDefect("has a chunk with a wrong checksum") }
        return Chunk(name: String(decoding: content.prefix(4), as: UTF8.self), data: content.dropFirst(4))
    }
}
