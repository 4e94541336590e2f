import Foundation
import Testing

/// HEIF containers for tests around one coded tile of 64 × 64 pixels from Fixtures: alone or repeated in a grid,
/// rotated and mirrored (ISO/IEC 23008-12). Its quarters are red, green, blue and light gray.
struct DrawnHEIF {
    static let tileSide = 64

    var columns = 1
    var rows = 1
    /// Whether the image is an item of type grid even if it has one tile.
    var isGrid = false
    /// Counterclockwise quarter turns.
    var turns = 0
    /// 0 swaps top and bottom, 1 left and right (edition of 2022, 6.5.12).
    var mirrorMode: Int?
    /// A size in the container that differs from the codec's.
    var saidSide = tileSide

    /// The contents of the tile's own file.
    static func fixture(_ name: String) throws -> [UInt8] {
        let url = Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil)
        return [UInt8](try Data(contentsOf: try #require(url)))
    }

    func bytes() throws -> [UInt8] {
        let file = try Self.fixture("tile.heic")
        let configuration = try #require(Self.box("hvcC", in: file))
        let coded = try #require(Self.box("mdat", in: file)).dropFirst(8)
        let count = isGrid ? columns * rows : 1
        let grid: [UInt8] =
            [0, 0, UInt8(rows - 1), UInt8(columns - 1)]
            + number(columns * Self.tileSide, 2) + number(rows * Self.tileSide, 2)
        let payload = [UInt8](coded) + (isGrid ? grid : [])
        let type = box("ftyp", Array("heic".utf8) + number(0, 4) + Array("mif1heic".utf8))
        // Offsets are from the start of the file, so the length must be known first.
        let length = meta(configuration, count: count, coded: (0, coded.count), grid: (0, grid.count)).count
        let start = type.count + length + 8
        return type
            + meta(configuration, count: count, coded: (start, coded.count), grid: (start + coded.count, grid.count))
            + box("mdat", payload)
    }

    private func meta(
        _ configuration: [UInt8], count: Int, coded: (Int, Int), grid: (Int, Int)
    ) -> [UInt8] {
        let tiles = Array(1...count)
        let items = isGrid ? tiles + [count + 1] : tiles
        let primary = items.count
        let infos = items.flatMap { item in
            let type = isGrid && item == primary ? "grid" : "hvc1"
            return full("infe", version: 2, number(item, 2) + number(0, 2) + Array(type.utf8) + [0])
        }
        var properties = [configuration, size(saidSide, saidSide), size(saidSide * columns, saidSide * rows)]
        var turning: [UInt8] = []
        if turns > 0 {
            properties.append(box("irot", [UInt8(turns)]))
            turning.append(UInt8(properties.count))
        }
        if let mirrorMode {
            properties.append(box("imir", [UInt8(mirrorMode)]))
            turning.append(UInt8(properties.count))
        }
        let uses = items.flatMap { item -> [UInt8] in
            let own: [UInt8] = isGrid && item == primary ? [3] : [1, 2]
            let all = own + (item == primary ? turning : [])
            return number(item, 2) + [UInt8(all.count)] + all
        }
        let places = items.flatMap { item -> [UInt8] in
            let (offset, length) = isGrid && item == primary ? grid : coded
            return number(item, 2) + number(0, 2) + number(1, 2) + number(offset, 4) + number(length, 4)
        }
        let references = box("dimg", number(primary, 2) + number(count, 2) + tiles.flatMap { number($0, 2) })
        return full(
            "meta",
            full("hdlr", number(0, 4) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
                + full("pitm", number(primary, 2)) + full("iinf", number(items.count, 2) + infos)
                + (isGrid ? full("iref", references) : [])
                + box("iprp", box("ipco", properties.flatMap(\.self)) + full("ipma", number(items.count, 4) + uses))
                + full("iloc", [0x44, 0] + number(items.count, 2) + places))
    }

    private func size(_ width: Int, _ height: Int) -> [UInt8] { full("ispe", number(width, 4) + number(height, 4)) }

    private func full(_ type: String, version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        box(type, [version, 0, 0, 0] + content)
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + Array(type.utf8) + content
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The first box of that type, found by its name only.
    private static func box(_ type: String, in file: [UInt8]) -> [UInt8]? {
        let name = Array(type.utf8)
        guard let at = (4..<file.count - 4).first(where: { Array(file[$0..<$0 + 4]) == name }) else { return nil }
        let count = file[at - 4..<at].reduce(0) { $0 << 8 | Int($1) }
        return Array(file[at - 4..<at - 4 + count])
    }
}
