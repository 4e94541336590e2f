/// CSS custom properties, with the nearest of CSS's named colors as a comment. The gallery's `colors.js` writes the
/// same text.
enum CSSPalette {
    static func text(of colors: [ColorFacts], gradient: [HexColor], named name: PaletteName) -> String {
        var lines = ["/* The colors of a photo, heaviest first, each with its complement. */", ":root {"]
        for (index, color) in colors.enumerated() {
            let property = "--\(name.identifier)-\(index + 1)"
            let name = CSSColorName.nearest(to: color.hex)
            lines.append("  \(property): \(color.hex); /* \(name), \(color.weight.percent) */")
            lines.append("  \(property)-complement: \(color.complement);")
        }
        let stops = gradient.map(\.description).joined(separator: ", ")
        lines.append("  --\(name.identifier)-gradient: linear-gradient(to bottom right, \(stops));")
        lines.append("}")
        return lines.joined(separator: "\n") + "\n"
    }
}

/// A `.gpl` file: one color per line, the complements as a second row.
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

/// A table: each color and its complement. In a true-color terminal, each line begins with a block of both.
enum TextPalette {
    static func text(of colors: [ColorFacts], named name: PaletteName, hasBlocks: Bool) -> String {
        let width = colors.map(\.name.utf8.count).max() ?? 0
        let lines = colors.map { color in
            let gap = String(repeating: " ", count: width - color.name.utf8.count)
            let percent = color.weight.percent
            let indent = String(repeating: " ", count: max(0, 7 - percent.utf8.count))
            return (hasBlocks ? block(color.hex, 8) + block(color.complement, 3) : "")
                + "  \(color.hex)  \(color.name)\(gap)  \(indent)\(percent)  complement \(color.complement)\n"
        }
        return "\(name.shown)\n" + lines.joined()
    }

    private static func block(_ color: HexColor, _ width: Int) -> String {
        "\u{1b}[48;2;\(color.red);\(color.green);\(color.blue)m\(String(repeating: " ", count: width))\u{1b}[0m"
    }
}
