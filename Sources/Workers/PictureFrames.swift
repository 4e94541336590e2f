import CZlib
import PhotoCodecs
import PhotoRaster
import Synchronization

/// Validates the chunks around a PNG's pixels (W3C PNG, 3rd edition, section 5). The pixels are not decoded.
enum PNGFrame {
    /// The kinds of PNG that `PNGEncoder` writes.
    enum Kind {
        /// RGBA of exactly this size, marked as sRGB.
        case color(width: Int, height: Int)
        /// The same, of any size up to this.
        case colorWithin(width: Int, height: Int)
        /// Gray, of any size with at most this many pixels.
        case gray(maxPixels: Int)

        var isColor: Bool {
            if case .gray = self { false } else { true }
        }
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let maxSide = Int(Int32.max)
    private static let maxChunkBytes = Int(Int32.max)

    /// - Returns: the picture's size.
    /// - Throws: unless `file` consists of the signature, the header of `kind`, `sRGB` if it is in color, pixels and
    ///   the end, with correct checksums.
    @discardableResult
    static func check(_ file: ArraySlice<UInt8>, _ kind: Kind) throws(PictureDefect) -> (width: Int, height: Int) {
        var reader = ChunkReader(file)
        guard let start = reader.take(signature.count), start.elementsEqual(signature) else {
            throw PictureDefect("is not a PNG file")
        }
        let header = try next(&reader)
        guard header.name == "IHDR", let size = size(header.data, kind) else { throw .header }
        // Check before computing any checksum: this bounds the work.
        guard file.count <= size.bytesNeeded else { throw .length }
        var chunk = try next(&reader)
        if kind.isColor {
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
        guard reader.rest.isEmpty else { throw PictureDefect("has data after its end") }
        return (size.width, size.height)
    }

    /// The picture's sides, and the length of the longest valid file with this header; nil if the header is not one of
    /// `kind`.
    private static func size(
        _ header: ArraySlice<UInt8>, _ kind: Kind
    ) -> (width: Int, height: Int, bytesNeeded: Int)? {
        var reader = ChunkReader(header)
        guard let width = reader.bigEndian(), let height = reader.bigEndian(), width > 0, height > 0,
            width <= maxSide, height <= maxSide
        else { return nil }
        // Bit depth 8, then the color type, deflate, standard filters, no interlacing.
        switch kind {
        case .color(let expectedWidth, let expectedHeight):
            guard width == expectedWidth, height == expectedHeight else { return nil }
        case .colorWithin(let maxWidth, let maxHeight):
            guard width <= maxWidth, height <= maxHeight else { return nil }
        case .gray(let maxPixels):
            let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
            guard !isTooLarge, pixels <= maxPixels else { return nil }
        }
        guard reader.rest.elementsEqual([8, kind.isColor ? 6 : 0, 0, 0, 0]) else { return nil }
        // Each row has a filter byte. Deflate adds at most a thousandth (zlib's compressBound), and each chunk of 8 KiB
        // has a frame of 12 bytes.
        let raw = (width * (kind.isColor ? 4 : 1) + 1) * height
        return (width, height, raw + raw / 256 + 1024)
    }

    private static func next(_ reader: inout ChunkReader) throws(PictureDefect) -> Chunk {
        guard let length = reader.bigEndian(), length <= maxChunkBytes, let content = reader.take(4 + length),
            let sum = reader.bigEndian()
        else { throw .ending }
        // `content` has exactly `count` bytes.
        let actual = unsafe content.withUnsafeBufferPointer { unsafe crc32_z(0, $0.baseAddress, $0.count) }
        guard sum == Int(actual) else { throw PictureDefect("has a chunk with a wrong checksum") }
        return Chunk(name: String(decoding: content.prefix(4), as: UTF8.self), data: content.dropFirst(4))
    }
}

/// Validates the chunks around a lossy WebP's pixels (RFC 9649). The pixels are not decoded.
enum WebPFrame {
    private static let hasProfile: UInt8 = 0x20
    private static let hasAlpha: UInt8 = 0x10
    /// The most bytes apart from the pixels, profile included.
    private static let maxFrameBytes = 8192

    /// The sRGB profile that `WebPEncoder` writes; nil until it is needed.
    private static let knownProfile = Mutex<[UInt8]?>(nil)

    /// - Returns: the picture's size.
    /// - Throws: unless `file` consists of a RIFF header with its exact length, the extended header, our color profile,
    ///   alpha if the header declares it, and a lossy image of the header's size.
    static func check(_ file: ArraySlice<UInt8>) throws(PictureDefect) -> (width: Int, height: Int) {
        var reader = ChunkReader(file)
        guard let riff = reader.take(4), riff.elementsEqual("RIFF".utf8), let length = reader.littleEndian(),
            length == reader.rest.count, let form = reader.take(4), form.elementsEqual("WEBP".utf8)
        else { throw PictureDefect("is not a WebP file") }
        let header = try next(&reader)
        guard header.name == "VP8X", header.data.count == 10, let flags = header.data.first,
            flags & ~hasAlpha == hasProfile, header.data.dropFirst().prefix(3).allSatisfy({ $0 == 0 })
        else { throw .header }
        let width = 1 + ChunkReader.littleEndian(header.data.dropFirst(4).prefix(3))
        let height = 1 + ChunkReader.littleEndian(header.data.dropFirst(7))
        guard max(width, height) <= WebPEncoder.maxSide else { throw .header }
        guard file.count <= width * height * Raster.channels + maxFrameBytes else { throw .length }
        let profile = try next(&reader)
        guard profile.name == "ICCP" else { throw .chunk }
        guard try profile.data.elementsEqual(Self.profile()) else {
            throw PictureDefect("has an unexpected color profile")
        }
        var chunk = try next(&reader)
        if flags & hasAlpha != 0 {
            // ALPH's first byte: two reserved bits at the top; compression 0 (none) or 1 (lossless) at the bottom.
            guard chunk.name == "ALPH", let first = chunk.data.first, first & 0xC0 == 0, first & 3 < 2 else {
                throw .chunk
            }
            chunk = try next(&reader)
        }
        guard chunk.name == "VP8 " else { throw .chunk }
        guard isPicture(chunk.data, width: width, height: height) else { throw .header }
        guard reader.rest.isEmpty else { throw .chunk }
        return (width, height)
    }

    /// Whether it begins as a VP8 key frame of this size (RFC 6386, 9.1).
    private static func isPicture(_ data: ArraySlice<UInt8>, width: Int, height: Int) -> Bool {
        var reader = ChunkReader(data)
        guard let tag = reader.take(3).map({ ChunkReader.littleEndian($0) }), let code = reader.take(3),
            code.elementsEqual([0x9D, 0x01, 0x2A]), let sides = reader.littleEndian()
        else { return false }
        // The frame tag: key frame, known version, shown; then the length of the first partition.
        let isKeyFrame = tag & 1 == 0 && tag >> 1 & 7 <= 3 && tag >> 4 & 1 == 1
        // 14 bits per side, and two for an upscaling factor, which must be zero.
        return isKeyFrame && tag >> 5 <= reader.rest.count && sides & 0xFFFF == width && sides >> 16 == height
    }

    private static func next(_ reader: inout ChunkReader) throws(PictureDefect) -> Chunk {
        guard let name = reader.take(4), let length = reader.littleEndian(), let data = reader.take(length) else {
            throw .ending
        }
        if length % 2 == 1 { guard let padding = reader.take(1), padding.first == 0 else { throw .ending } }
        return Chunk(name: String(decoding: name, as: UTF8.self), data: data)
    }

    /// Taken from a one-pixel sticker that this process encodes.
    private static func profile() throws(PictureDefect) -> [UInt8] {
        if let known = knownProfile.withLock({ $0 }) { return known }
        guard let file = try? WebPEncoder.encode(Raster(width: 1, height: 1)) else { throw .shortage }
        var reader = ChunkReader(file.dropFirst(12))
        _ = try next(&reader)
        let profile = Array(try next(&reader).data)
        knownProfile.withLock { $0 = profile }
        return profile
    }
}

private struct Chunk {
    let name: String
    let data: ArraySlice<UInt8>
}

/// Reads bytes from the front of an untrusted file, never beyond its end.
struct ChunkReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ file: ArraySlice<UInt8>) {
        rest = file
    }

    /// The next `count` bytes; nil if there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// The next four bytes as a big-endian number.
    mutating func bigEndian() -> Int? { take(4).map { Self.bigEndian($0) } }

    /// The next four bytes as a little-endian number.
    mutating func littleEndian() -> Int? { take(4).map { Self.littleEndian($0) } }

    /// Decodes at most seven big-endian bytes.
    static func bigEndian(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Decodes at most seven little-endian bytes.
    static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int { bigEndian(bytes.reversed()) }
}

/// How a worker's file differs from what stickerd's encoders write.
struct PictureDefect: Error {
    static let header = PictureDefect("has an unexpected header")
    static let chunk = PictureDefect("has an unexpected chunk")
    static let ending = PictureDefect("is truncated")
    static let pixels = PictureDefect("has no pixels")
    static let length = PictureDefect("has more bytes than its pixels can need")
    /// Memory ran out before the check.
    static let shortage = PictureDefect("", isShortage: true)

    /// Completes "the sticker …".
    let text: String
    let isShortage: Bool

    init(_ text: String, isShortage: Bool = false) {
        self.text = text
        self.isShortage = isShortage
    }
}
