extension HexColor {
    /// Whether all channels are exactly equal.
    package var isGray: Bool { red == green && green == blue }

    /// Enough bisection steps for the last of 8 bits.
    private static var halvings: Int { 24 }

    /// The opposite color: OKLCH's hue + 180°, the same lightness, and as much of the chroma as sRGB has there, found
    /// by bisection (CSS Color 4, section 13.2, without its clipping). A gray is its own complement.
    package var complement: HexColor {
        if isGray { return self }
        let lab = OKLab(self).components
        // Half a turn of the hue negates both other axes.
        func opposite(_ share: Double) -> LinearLight {
            OKLab(SIMD3(lab.x, -lab.y * share, -lab.z * share)).light
        }
        if opposite(1).isDisplayable { return opposite(1).color }
        var inside = 0.0
        var outside = 1.0
        for _ in 0..<Self.halvings {
            let middle = (inside + outside) / 2
            if opposite(middle).isDisplayable { inside = middle } else { outside = middle }
        }
        return opposite(inside).color
    }
}
