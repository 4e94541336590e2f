extension PhotoBomb {
    package static let webPs = [
        PhotoBomb("Lossless WebP of 16 384 pixels a side", riff([("VP8L", [0x2F] + littleEndian(0x0FFF_FFFF) + [0])])),
        PhotoBomb(
            "Lossy WebP of 16 383 pixels a side",
            riff([("VP8 ", vp8Head + littleEndian(0x3FFF_3FFF) + [UInt8](repeating: 0, count: 64))])),
        PhotoBomb(
            "WebP with 100 MB of Exif",
            [
                .bytes(Array("RIFF".utf8) + littleEndian(30 + 100 << 20) + Array("WEBPVP8X".utf8) + littleEndian(10)),
                .bytes([8, 0, 0, 0, 7, 0, 0, 7, 0, 0]), .bytes(Array("EXIF".utf8) + littleEndian(100 << 20)),
                .hole(100 << 20),
            ]),
    ]

    /// Files written by libheif whose sizes are overwritten with another (ISO/IEC 14496-12, `ispe`).
    package static func giant(_ name: String, of file: [UInt8]) -> PhotoBomb {
        var file = file
        for start in file.indices.dropLast(16) where file[start..<start + 4].elementsEqual("ispe".utf8) {
            file.replaceSubrange(start + 8..<start + 16, with: bigEndian(0x7FFF_FFFF) + bigEndian(0x7FFF_FFFF))
        }
        return PhotoBomb("\(name) of 2 147 483 647 pixels a side", file)
    }

    package static let heifs = [
        PhotoBomb(
            "HEIF whose boxes say they are larger than any file",
            [.bytes(fileType), .bytes(bigEndian(1) + Array("meta".utf8) + bigEndian(0x7FFF_FFFF) + bigEndian(0))]),
        PhotoBomb(
            "HEIF with 100 MB of boxes",
            [
                .bytes(fileType), .bytes(bigEndian(100 << 20) + Array("meta".utf8)), .hole((100 << 20) - 8),
            ]),
    ]

    private static let vp8Head: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A]

    private static let fileType = box("ftyp", Array("heic".utf8) + bigEndian(0) + Array("mif1heic".utf8))

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        bigEndian(body.count + 8) + Array(type.utf8) + body
    }

    private static func riff(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        let body = chunks.flatMap { chunk -> [UInt8] in
            let (type, content) = chunk
            let padding: [UInt8] = content.count % 2 == 1 ? [0] : []
            return Array(type.utf8) + littleEndian(content.count) + content + padding
        }
        return Array("RIFF".utf8) + littleEndian(body.count + 4) + Array("WEBP".utf8) + body
    }
}
