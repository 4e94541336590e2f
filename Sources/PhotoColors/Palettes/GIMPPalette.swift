/// A `.gpl` file: one color per line, the complements in a second row.
enum GIMPPalette {
    static func text(of colors: [ColorFacts], named name: PaletteName) -> String {
        // Without columns, GIMP chooses its own layout; it rejects more than 64.
        var lines = ["GIMP Palette", "Name: \(name.shown)", "Columns: \(colors.count)", "#"]
        lines += colors.map { line($0.hex, "\($0.name) \($0.weight.percent)") }
        lines += colors.map { line($0.complement, "complement of \($0.name)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ color: HexColor, _ name: String) -> String {
        let channels = [color.red, color.green, color.blue].map { channel in
            let digits = String(channel)
            return String(repeating: " ", count: 3 - digits.utf8.count) + digits
        }
        return "\(channels.joined(separator: " "))\t\(name)"
    }
}
