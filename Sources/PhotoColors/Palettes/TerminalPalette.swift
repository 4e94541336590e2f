/// Colored blocks by the escape sequences of a true-color terminal: each color, and next to it its complement.
enum TerminalPalette {
    static func text(of colors: [ColorFacts], named name: PaletteName) -> String {
        let width = colors.map(\.name.utf8.count).max() ?? 0
        let lines = colors.map { color in
            let gap = String(repeating: " ", count: width - color.name.utf8.count)
            let percent = color.weight.percent
            let indent = String(repeating: " ", count: max(0, 7 - percent.utf8.count))
            return block(color.hex, 8) + block(color.complement, 3)
                + "  \(color.hex)  \(color.name)\(gap)  \(indent)\(percent)  complement \(color.complement)\n"
        }
        return "\(name.shown)\n" + lines.joined()
    }

    private static func block(_ color: HexColor, _ width: Int) -> String {
        "\u{1b}[48;2;\(color.red);\(color.green);\(color.blue)m\(String(repeating: " ", count: width))\u{1b}[0m"
    }
}
