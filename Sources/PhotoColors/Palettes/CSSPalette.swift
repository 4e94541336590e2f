/// CSS custom properties. The gallery's `colors.js` writes the same text.
enum CSSPalette {
    static func text(of colors: [ColorFacts], gradient: [HexColor], named name: PaletteName) -> String {
        var lines = ["/* The colors of a photo, heaviest first, each with its complement. */", ":root {"]
        for (index, color) in colors.enumerated() {
            let property = "--\(name.identifier)-\(index + 1)"
            lines.append("  \(property): \(color.hex); /* \(color.name), \(color.weight.percent) */")
            lines.append("  \(property)-complement: \(color.complement);")
        }
        let stops = gradient.map(\.description).joined(separator: ", ")
        lines.append("  --\(name.identifier)-gradient: linear-gradient(to bottom right, \(stops));")
        lines.append("}")
        return lines.joined(separator: "\n") + "\n"
    }
}
