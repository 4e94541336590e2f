extension HexColor {
    /// Reads a color as people write it: `#rrggbb`, `#rgb`, or a name of CSS Color 4, in upper or lower case. Nil for
    /// any other text.
    package init?(css text: String) {
        let text = text.lowercased()
        if text.utf8.count == Self.shortLength, text.hasPrefix("#") {
            self.init("#" + text.dropFirst().map { "\($0)\($0)" }.joined())
        } else if let color = HexColor(text) ?? CSSColorName.color(named: text) {
            self = color
        } else {
            return nil
        }
    }

    /// Of `#rgb`.
    private static let shortLength = 4
}
