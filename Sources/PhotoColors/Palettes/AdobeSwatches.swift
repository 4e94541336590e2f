/// An `.ase` file: big-endian blocks, with the colors in a group of the palette's name and their complements in
/// another.
///
/// Adobe publishes no specification; this is what readers agree on
/// (http://www.selapa.net/swatches/colors/fileformats.php#adobe_ase).
enum AdobeSwatches {
    private enum Block: UInt16 {
        case color = 0x0001
        case groupStart = 0xc001
        case groupEnd = 0xc002
    }

    /// A global color: shared by all objects that use it.
    private static let global: UInt16 = 0

    static func bytes(of colors: [ColorFacts], named name: PaletteName) -> [UInt8] {
        let blocks =
            group(name.shown, colors.map { ("\($0.name) \($0.weight.percent)", $0.hex) })
            + group("\(name.shown), complements", colors.map { ("complement of \($0.name)", $0.complement) })
        return Array("ASEF".utf8) + bigEndian(UInt16(1)) + bigEndian(UInt16(0)) + bigEndian(UInt32(blocks.count))
            + blocks.flatMap { $0 }
    }

    private static func group(_ name: String, _ colors: [(name: String, hex: HexColor)]) -> [[UInt8]] {
        var blocks = [block(.groupStart, text(name))]
        for (name, hex) in colors {
            let channels = [hex.red, hex.green, hex.blue].flatMap { bigEndian((Float($0) / 255).bitPattern) }
            blocks.append(block(.color, text(name) + Array("RGB ".utf8) + channels + bigEndian(global)))
        }
        blocks.append(block(.groupEnd, []))
        return blocks
    }

    private static func block(_ kind: Block, _ content: [UInt8]) -> [UInt8] {
        bigEndian(kind.rawValue) + bigEndian(UInt32(content.count)) + content
    }

    /// UTF-16, preceded by its length in code units and followed by a zero, which the length includes.
    private static func text(_ text: String) -> [UInt8] {
        let units = Array(text.utf16) + [0]
        return bigEndian(UInt16(units.count)) + units.flatMap { bigEndian($0) }
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        stride(from: value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
