import PhotoCodecs
import PhotoRaster
import Synchronization

/// The chunks around a lossy WebP's pixels (RFC 9649). The pixels are not decoded.
enum WebPFrame {
    private static let hasProfile: UInt8 = 0x20
    private static let hasAlpha: UInt8 = 0x10
    /// The most bytes besides the pixels, profile included.
    private static let maxFrameBytes = 8192

    /// The sRGB profile that `WebPEncoder` writes; nil until first needed.
    private static let knownProfile = Mutex<[UInt8]?>(nil)

    private struct Chunk {
        let name: String
        let data: ArraySlice<UInt8>
    }

    /// - Returns: the picture's size.
    /// - Throws: unless `file` has a RIFF header of exactly its length, the extended header, our color profile, alpha
    ///   if the header says so, a lossy picture of the header's size, and nothing else.
    static func check(_ file: ArraySlice<UInt8>) throws(PictureDefect) -> (width: Int, height: Int) {
        var reader = ChunkReader(file)
        guard let riff = reader.take(4), riff.elementsEqual("RIFF".utf8), let length = reader.littleEndian(),
            length == reader.rest.count, let form = reader.take(4), form.elementsEqual("WEBP".utf8)
        else { throw PictureDefect("is no WebP file") }
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
            throw PictureDefect("has a color profile that stickerd does not write")
        }
        var chunk = try next(&reader)
        if flags & hasAlpha != 0 {
            // Its first byte: the upper two bits are reserved, and only no compression and lossless are defined.
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
        // A key frame, of a known version, shown; then the length of its first partition.
        let isKeyFrame = tag & 1 == 0 && tag >> 1 & 7 <= 3 && tag >> 4 & 1 == 1
        // 14 bits for each side, and two for a scale that a picture does not have.
        return isKeyFrame && tag >> 5 <= reader.rest.count && sides & 0xFFFF == width && sides >> 16 == height
    }

    private static func next(_ reader: inout ChunkReader) throws(PictureDefect) -> Chunk {
        guard let name = reader.take(4), let length = reader.littleEndian(), let data = reader.take(length) else {
            throw .ending
        }
        if length % 2 == 1 { guard let padding = reader.take(1), padding.first == 0 else { throw .ending } }
        return Chunk(name: String(decoding: name, as: UTF8.self), data: data)
    }

    /// Taken from a picture of one pixel that this process encodes itself.
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
