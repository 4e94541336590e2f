/// One color of a scheme, and how much of the photo it stands for.
package struct SchemeColor: Codable, Hashable, Sendable {
    /// sRGB, `#rrggbb` in lower case.
    package let hex: String
    /// Share of the visible pixels, 0…1, rounded to four decimals; a scheme's weights sum to 1 but for that rounding.
    package let weight: Double

    package init(hex: String, weight: Double) {
        self.hex = hex
        self.weight = weight
    }
}
