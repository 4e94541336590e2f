/// The colors of one photo, largest weight first; for equal weights the smaller hex first. Empty if nothing is visible.
package struct PhotoColorScheme: Codable, Hashable, Sendable {
    package let colors: [SchemeColor]

    package init(colors: [SchemeColor]) {
        self.colors = colors
    }
}

/// One color of a scheme, and its weight in the photo.
package struct SchemeColor: Codable, Hashable, Sendable {
    package let hex: HexColor
    /// Fraction of the visible pixels, 0…1 in steps of 0.0001, with nearly white and nearly black ones damped (see
    /// `ColorHistogram`); a scheme's weights sum to 1.
    package let weight: Double

    package init(hex: HexColor, weight: Double) {
        self.hex = hex
        self.weight = weight
    }

    package var facts: ColorFacts { ColorFacts(of: hex, weight: weight) }
}

extension PhotoColorScheme {
    /// The gradient's color if there is no color: a light gray.
    private static var none: HexColor { HexColor(red: 224, green: 224, blue: 224) }
    /// How much lighter and darker than a single color its gradient begins and ends, as OKLab lightness.
    private static var shade: Double { 0.08 }

    /// A background for the sticker: always four colors, from the top leading to the bottom trailing corner.
    ///
    /// The four heaviest colors from light to dark, as if lit from above. Fewer are spread over the four places by
    /// mixing neighbors in OKLab; a single one becomes a gradient from slightly lighter to slightly darker.
    package var gradient: [HexColor] {
        let heaviest = colors.isEmpty ? [Self.none] : colors.prefix(4).map(\.hex)
        var stops = heaviest.map { ($0, OKLab($0).components) }
            .sorted { $0.1.x == $1.1.x ? $0.0 < $1.0 : $0.1.x > $1.1.x }
            .map(\.1)
        if stops.count == 1 {
            let lab = stops[0]
            stops = [
                SIMD3(min(lab.x + Self.shade, 1), lab.y, lab.z), SIMD3(max(lab.x - Self.shade, 0), lab.y, lab.z),
            ]
        }
        return (0..<4).map { place in
            let position = Double(place * (stops.count - 1)) / 3
            let index = min(Int(position), stops.count - 2)
            let way = stops[index + 1] - stops[index]
            let step = way * (position - Double(index))
            return OKLab(stops[index] + step).color
        }
    }
}
