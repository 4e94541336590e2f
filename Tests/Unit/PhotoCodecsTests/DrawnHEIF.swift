import Foundation
import TestSupport
import Testing

/// HEIF containers for tests around one coded tile of 64 × 64 pixels from Fixtures: alone or repeated in a grid,
/// rotated and mirrored, with other items (ISO/IEC 23008-12). Its quarters are red, green, blue and light gray.
struct DrawnHEIF {
    static let tileSide = 64

    var columns = 1
    var rows = 1
    /// Whether the image is an item of type grid even if it has one tile.
    var isGrid = false
    /// By how many pixels the last column and the last row of tiles reach beyond the image.
    var excess = 0
    /// Counterclockwise quarter turns.
    var turns = 0
    /// 0 swaps top and bottom, 1 left and right (edition of 2022, 6.5.12).
    var mirrorMode: Int?
    /// Whether only its left half is shown.
    var isHalved = false
    /// Whether its size comes after the properties that change it.
    var isSizeLast = false
    /// The type of coded items.
    var coding = "hvc1"
    /// A size in the container that differs from the codec's.
    var saidSide = tileSide
    var attachments: [Attachment] = []
    /// The same of a thumbnail.
    var saidThumbnailSide = tileSide
    /// How many items of type iden stand between the primary item and the image; the last is turned, not the image.
    var identities = 0
    /// Whether the first of them stands for the last instead of the image; without them, the last tile is the grid.
    var isCircular = false
    /// Whether the sizes of references have 64 bits.
    var hasLongReferences = false
    /// Numbers of ITU-T H.273 for the image's primaries and transfer function.
    var codedColors: (primaries: Int, transfer: Int)?
    /// Whether the size of `meta` has 64 bits.
    var hasLongSize = false
    /// How many zeros end the tile's data.
    var zeros = 0
    /// What follows the last box.
    var end: [UInt8] = []

    enum Target { case primary, unknown, missing, itself }

    /// An item that refers to others: an image, or Exif data for references of type cdsc.
    struct Attachment: Sendable {
        var type: String
        var targets: [Target]
        var auxiliaryType: String? = "urn:com:apple:photo:2020:aux:hdrgainmap"
    }

    /// The contents of the tile's own file.
    static func fixture(_ name: String) throws -> [UInt8] {
        let url = Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil)
        return [UInt8](try Data(contentsOf: try #require(url)))
    }

    func bytes() throws -> [UInt8] {
        let file = try Self.fixture("tile.heic")
        let configuration = try #require(firstBox("hvcC", in: file))
        let coded = try #require(firstBox("mdat", in: file)).dropFirst(8) + [UInt8](repeating: 0, count: zeros)
        let type = box("ftyp", Array("heic".utf8) + bigEndian(0) + Array("mif1heic".utf8))
        // Offsets are from the start of the file, so the length must be known first.
        func meta(at start: Int) -> [UInt8] {
            let box = self.meta(configuration, coded: coded.count, at: start)
            return hasLongSize ? bigEndian(1) + box[4..<8] + bigEndian(box.count + 8, 8) + box[8...] : box
        }
        return type + meta(at: type.count + meta(at: 0).count + 8) + box("mdat", coded + grid) + end
    }

    private struct Item {
        var type: String
        var properties: [[UInt8]] = []
        var references: [(type: String, targets: [Int])] = []
    }

    private var grid: [UInt8] {
        guard isGrid else { return [] }
        return [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + bigEndian(columns * Self.tileSide - excess, 2)
            + bigEndian(rows * Self.tileSide - excess, 2)
    }

    /// Their identifiers are their positions, from 1 on.
    private func items(_ configuration: [UInt8]) -> (all: [Item], primary: Int) {
        let tile = Item(type: coding, properties: [configuration, size(saidSide, saidSide)])
        var all = [Item](repeating: tile, count: isGrid ? columns * rows : 1)
        if isGrid {
            let whole = size(saidSide * columns - excess, saidSide * rows - excess)
            all.append(Item(type: "grid", properties: [whole], references: [("dimg", Array(1...all.count))]))
        }
        let image = all.count
        for _ in 0..<identities {
            let whole = all[image - 1].properties.last.map { [$0] } ?? []
            all.append(Item(type: "iden", properties: whole, references: [("dimg", [all.count])]))
        }
        let primary = all.count
        if isCircular {
            let first = identities > 0 ? image : image - 1
            all[first].references = [("dimg", Array(1..<image).dropLast(identities > 0 ? image : 1) + [primary])]
        }
        if let codedColors {
            let numbers =
                bigEndian(codedColors.primaries, 2) + bigEndian(codedColors.transfer, 2) + bigEndian(6, 2) + [0x80]
            all[image - 1].properties.append(box("colr", Array("nclx".utf8) + numbers))
        }
        if turns > 0 { all[primary - 1].properties.append(box("irot", [UInt8(turns)])) }
        if let mirrorMode { all[primary - 1].properties.append(box("imir", [UInt8(mirrorMode)])) }
        if isHalved {
            let numbers = [Self.tileSide / 2, 1, Self.tileSide, 1, -Self.tileSide / 4, 1, 0, 1]
            all[primary - 1].properties.append(box("clap", numbers.flatMap { bigEndian($0) }))
        }
        if isSizeLast { all[primary - 1].properties.reverse() }
        guard !attachments.isEmpty else { return (all, primary) }
        all.append(Item(type: "tmap"))
        let unknown = all.count
        for attachment in attachments {
            let id = all.count + 1
            let targets = attachment.targets.map { target in
                switch target {
                case .primary: primary
                case .unknown: unknown
                case .missing: 1000
                case .itself: id
                }
            }
            var item = attachment.type == "cdsc" ? Item(type: "Exif") : tile
            if attachment.type == "auxl", let type = attachment.auxiliaryType {
                item.properties.append(full("auxC", Array(type.utf8) + [0]))
            }
            if attachment.type == "thmb" {
                item.properties = [configuration, size(saidThumbnailSide, saidThumbnailSide)]
            }
            item.references = [(attachment.type, targets)]
            all.append(item)
        }
        return (all, primary)
    }

    /// An image sequence (ISO/IEC 23008-12, 7) of the fixture `name`, without a still picture. `brand` is its only one.
    /// With `hasMeta`, there is a `meta` without a primary item, as MP4Box writes it.
    static func sequence(
        of name: String, brand: String, hasAlpha: Bool = false, isCut: Bool = false, hasMeta: Bool = false
    ) throws -> [UInt8] {
        let drawn = DrawnHEIF()
        let file = try fixture(name)
        let isAV1 = name.hasSuffix("avif")
        let configuration = try #require(firstBox(isAV1 ? "av1C" : "hvcC", in: file))
        let coded = try #require(firstBox("mdat", in: file)).dropFirst(8)
        let type =
            box("ftyp", Array(brand.utf8) + bigEndian(0) + Array(brand.utf8))
            + (hasMeta ? drawn.full("meta", drawn.full("iinf", bigEndian(0, 2))) : [])
        func movie(at start: Int) -> [UInt8] {
            let handlers = hasAlpha ? ["pict", "auxv"] : ["pict"]
            return box("moov", handlers.flatMap { drawn.track($0, isAV1, configuration, coded.count, at: start) })
        }
        let start = type.count + movie(at: 0).count + 8
        return type + movie(at: start) + box("mdat", Array(isCut ? coded.dropLast() : coded))
    }

    private func track(_ handler: String, _ isAV1: Bool, _ configuration: [UInt8], _ count: Int, at start: Int)
        -> [UInt8]
    {
        let head = [UInt8](repeating: 0, count: 24) + bigEndian(Self.tileSide, 2) + bigEndian(Self.tileSide, 2)
        let entry = box(isAV1 ? "av01" : "hvc1", head + [UInt8](repeating: 0, count: 78 - head.count) + configuration)
        let table =
            full("stsd", bigEndian(1) + entry)
            + full("stsz", bigEndian(0) + bigEndian(2) + bigEndian(count) + bigEndian(1))
            + full("stco", bigEndian(1) + bigEndian(start))
        let media = full("hdlr", bigEndian(0) + Array(handler.utf8) + [UInt8](repeating: 0, count: 13))
        return box("trak", box("mdia", media + box("minf", box("stbl", table))))
    }

    private func meta(_ configuration: [UInt8], coded: Int, at start: Int) -> [UInt8] {
        let (items, primary) = items(configuration)
        let infos = items.enumerated().flatMap { index, item in
            full(
                "infe", version: 2, isHidden: index + 1 != primary,
                bigEndian(index + 1, 2) + bigEndian(0, 2) + Array(item.type.utf8) + [0])
        }
        let properties = items.flatMap(\.properties)
        let uses = items.enumerated().filter { !$1.properties.isEmpty }.map { index, item in
            let first = items[..<index].reduce(1) { $0 + $1.properties.count }
            return bigEndian(index + 1, 2) + [UInt8(item.properties.count)]
                + item.properties.indices.map { UInt8(first + $0) }
        }
        let places = items.enumerated().filter { $1.type != "iden" }.map { index, item in
            let (offset, length) = item.type == "grid" ? (start + coded, grid.count) : (start, coded)
            return bigEndian(index + 1, 2) + bigEndian(0, 2) + bigEndian(1, 2) + bigEndian(offset) + bigEndian(length)
        }
        let references = items.enumerated().flatMap { index, item in
            item.references.flatMap { (type, targets) -> [UInt8] in
                let content =
                    bigEndian(index + 1, 2) + bigEndian(targets.count, 2) + targets.flatMap { bigEndian($0, 2) }
                guard hasLongReferences else { return box(type, content) }
                return bigEndian(1) + Array(type.utf8) + bigEndian(content.count + 16, 8) + content
            }
        }
        return full(
            "meta",
            full("hdlr", bigEndian(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
                + full("pitm", bigEndian(primary, 2)) + full("iinf", bigEndian(items.count, 2) + infos)
                + (references.isEmpty ? [] : full("iref", references))
                + box(
                    "iprp",
                    box("ipco", properties.flatMap(\.self))
                        + full("ipma", bigEndian(uses.count) + uses.flatMap(\.self)))
                + full("iloc", [0x44, 0] + bigEndian(places.count, 2) + places.flatMap(\.self)))
    }

    private func size(_ width: Int, _ height: Int) -> [UInt8] { full("ispe", bigEndian(width) + bigEndian(height)) }

    private func full(_ type: String, version: UInt8 = 0, isHidden: Bool = false, _ content: [UInt8]) -> [UInt8] {
        box(type, [version, 0, 0, isHidden ? 1 : 0] + content)
    }
}
