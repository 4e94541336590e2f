/// The colors of one photo, largest weight first; for equal weights the smaller hex first. Empty if nothing is visible.
package struct PhotoColorScheme: Codable, Hashable, Sendable {
    /// Increased whenever the same sample gives another scheme, other names or another gradient: files with schemes are
    /// then written again.
    package static let revision = 6

    package let colors: [SchemeColor]

    package init(colors: [SchemeColor]) {
        self.colors = colors
    }
}

/// One color of a scheme, and its weight in the photo.
package struct SchemeColor: Codable, Hashable, Sendable {
    package let hex: HexColor
    /// Fraction of the visible pixels, 0…1 in steps of 0.0001, with nearly white and nearly black ones damped (see
    /// `ColorHistogram`), and those of the photo's subject counted more than once (see `PhotoColorSample.emphasizing`);
    /// a scheme's weights sum to 1.
    package let weight: Double

    package init(hex: HexColor, weight: Double) {
        self.hex = hex
        self.weight = weight
    }

    /// What people call such a color, in English.
    package var name: String { ColorLexicon.nearest(to: hex) }

    package var facts: ColorFacts { ColorFacts(of: hex, weight: weight) }
}
