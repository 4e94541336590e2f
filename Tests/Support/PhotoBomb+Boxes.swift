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

    /// The one coded image of a file, `side` × `side` times as a tile, whose properties are the last of `others`
    /// (ISO/IEC 23008-12, 6.6.2.3 and 9.3), beside `items` that nothing refers to.
    package static func tiles(of file: [UInt8], side: Int = 150, others: Int = 1_000_000, items: Int = 0) -> PhotoBomb?
    {
        guard let configuration = firstBox("hvcC", in: file), let media = firstBox("mdat", in: file) else { return nil }
        let coded = Array(media.dropFirst(8))
        let parts = [UInt8](short(side * side)) + (0..<side * side).flatMap { (_: Int) -> [UInt8] in short(1) }
        let unused = (0..<others).flatMap { (number: Int) -> [UInt8] in short(3 + number % 60_000) + [0] }
        func meta(at start: Int) -> [UInt8] {
            var content = full("hdlr", bigEndian(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
            content += full("pitm", short(2))
            let infos = ["hvc1", "grid"] + [String](repeating: "hvc1", count: items)
            content += full(
                "iinf",
                short(infos.count)
                    + infos.enumerated().flatMap { index, type in
                        full("infe", short(index + 1) + [0, 0] + Array(type.utf8) + [0], version: 2)
                    })
            let places: [UInt8] = short(1) + short(0) + short(1) + bigEndian(start) + bigEndian(coded.count)
            let end: [UInt8] = short(2) + short(0) + short(1) + bigEndian(start + coded.count) + bigEndian(8)
            content += full("iloc", [0x44, 0] + short(2) + places + end)
            content += full("iref", box("dimg", short(2) + parts))
            var properties = configuration
            for side in [64, 64 * side] { properties += full("ispe", bigEndian(side) + bigEndian(side)) }
            let owned: [UInt8] = short(1) + [2, 0x81, 2] + short(2) + [1, 3]
            let owners = full("ipma", bigEndian(others + 2) + unused + owned)
            content += box("iprp", box("ipco", properties) + owners)
            return full("meta", content)
        }
        let start = fileType.count + meta(at: 0).count + 8
        let grid = [0, 0, UInt8(side - 1), UInt8(side - 1)] + short(64 * side) + short(64 * side)
        return PhotoBomb("HEIF of very many tiles", fileType + meta(at: start) + box("mdat", coded + grid))
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
        PhotoBomb("HEIF of very many pieces", item(pieces)),
        PhotoBomb("HEIF of very many auxiliary images", item(auxiliaries)),
        PhotoBomb("HEIF of tiles with very many properties", item(properties)),
    ]

    /// Places of items, each in 65,535 pieces, whose numbers have no bytes (ISO/IEC 14496-12, 8.11.3).
    private static let pieces: [UInt8] = {
        let place: [UInt8] = bigEndian(1) + short(0) + short(0) + short(65_535)
        return full("iloc", [0, 0] + bigEndian(400_000) + repeated(place, 400_000), version: 2)
    }()

    /// References to nothing, and items without properties.
    private static let auxiliaries: [UInt8] = {
        let references = repeated(box("auxl", short(7) + short(0)), 15_000)
        let owners = bigEndian(600_000) + repeated(short(9) + [0], 600_000)
        return full("iloc", [0x44, 0] + short(0)) + full("iref", references)
            + box("iprp", box("ipco", []) + full("ipma", owners))
    }()

    /// One tile 4,000 times, with 255 properties, the last of as many as there may be (ISO/IEC 23008-12, 9.3).
    private static let properties: [UInt8] = {
        let end: [UInt8] = short(0) + short(1) + bigEndian(0) + bigEndian(4)
        let places: [UInt8] = short(1) + short(0) + end + short(2) + short(1) + end
        let idat = box("idat", [0, 0, 49, 79])
        let tiles = box("dimg", short(2) + short(4000) + repeated(short(1), 4000))
        let all = box("hvcC", [1]) + repeated(box("pixi", []), 32_766)
        let uses: [UInt8] = short(1) + [255] + short(1) + repeated(short(32_767), 254)
        let owners = box("ipma", [0, 0, 0, 1] + bigEndian(1) + uses)
        return full("iloc", [0x44, 0] + short(2) + places, version: 1) + idat + full("iref", tiles)
            + box("iprp", box("ipco", all) + owners)
    }()

    /// A file with a coded item and a grid, and these boxes about them.
    private static func item(_ boxes: [UInt8]) -> [UInt8] {
        let infos = ["hvc1", "grid"].enumerated().flatMap { index, type in
            full("infe", short(index + 1) + [0, 0] + Array(type.utf8) + [0], version: 2)
        }
        let meta = full("pitm", short(2)) + full("iinf", short(2) + infos) + boxes
        return fileType + full("meta", meta) + box("mdat", [1])
    }

    private static func repeated(_ entry: [UInt8], _ count: Int) -> [UInt8] {
        [[UInt8]](repeating: entry, count: count).flatMap(\.self)
    }

    private static func short(_ value: Int) -> [UInt8] { bigEndian(value, 2) }

    private static func full(_ type: String, _ body: [UInt8], version: UInt8 = 0) -> [UInt8] {
        box(type, [version, 0, 0, 0] + body)
    }

    private static let vp8Head: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A]

    private static let fileType = box("ftyp", Array("heic".utf8) + bigEndian(0) + Array("mif1heic".utf8))

    private static func riff(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        let body = chunks.flatMap { chunk -> [UInt8] in
            let (type, content) = chunk
            let padding: [UInt8] = content.count % 2 == 1 ? [0] : []
            return Array(type.utf8) + littleEndian(content.count) + content + padding
        }
        return Array("RIFF".utf8) + littleEndian(body.count + 4) + Array("WEBP".utf8) + body
    }
}
