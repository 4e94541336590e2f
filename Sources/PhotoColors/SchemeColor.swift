/// One color of a scheme, and its weight in the photo.
package struct SchemeColor: Codable, Hashable, Sendable {
    package let hex: HexColor
    /// Share of the visible pixels, 0…1 in steps of 0.0001, with nearly white and nearly black ones damped (see
    /// `ColorHistogram`); a scheme's weights sum to 1.
    package let weight: Double

    package init(hex: HexColor, weight: Double) {
        self.hex = hex
        self.weight = weight
    }

    package var facts: ColorFacts { ColorFacts(of: hex, weight: weight) }
}
