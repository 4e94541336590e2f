#if canImport(Glibc)
import Glibc
#endif

/// Data about a color, for people choosing one.
package struct ColorFacts: Codable, Hashable, Sendable {
    /// OKLab in polar coordinates.
    package struct OKLCH: Codable, Hashable, Sendable {
        /// 0…1, four decimals.
        package let lightness: Double
        /// 0…about 0.32, four decimals.
        package let chroma: Double
        /// Degrees, 0..<360, one decimal; 0 for gray.
        package let hue: Double
    }

    /// WCAG 2's contrast ratios to white and to black, 1…21, two decimals. Rounded down, so that 4.5 is never reported
    /// unless it is reached.
    package struct Contrast: Codable, Hashable, Sendable {
        package let white: Double
        package let black: Double
    }

    package let hex: HexColor
    /// As in `SchemeColor`.
    package let weight: Double
    /// The nearest name in `ColorLexicon`.
    package let name: String
    package let oklch: OKLCH
    package let contrast: Contrast
    package let complement: HexColor

    package init(of hex: HexColor, weight: Double) {
        self.hex = hex
        self.weight = weight
        name = ColorLexicon.nearest(to: hex)
        oklch = OKLCH(of: hex)
        contrast = Contrast(of: hex)
        complement = hex.complement
    }
}

extension ColorFacts.OKLCH {
    init(of hex: HexColor) {
        let lab = OKLab(hex).components
        lightness = (lab.x * 10_000 + 0.5).rounded(.down) / 10_000
        if hex.isGray {
            chroma = 0
            hue = 0
            return
        }
        chroma = ((lab.y * lab.y + lab.z * lab.z).squareRoot() * 10_000 + 0.5).rounded(.down) / 10_000
        let degrees = atan2(lab.z, lab.y) * 180 / Double.pi
        let tenths = ((degrees < 0 ? degrees + 360 : degrees) * 10 + 0.5).rounded(.down)
        hue = tenths >= 3600 ? 0 : tenths / 10
    }
}

extension ColorFacts.Contrast {
    init(of hex: HexColor) {
        let luminance = LinearLight(hex).luminance
        white = Self.roundedDown(1.05 / (luminance + 0.05))
        black = Self.roundedDown((luminance + 0.05) / 0.05)
    }

    /// The small addition compensates floating-point errors that put a ratio such as 21 just below its two decimals.
    private static func roundedDown(_ ratio: Double) -> Double { (ratio * 100 + 1e-6).rounded(.down) / 100 }
}
