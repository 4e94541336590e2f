/// A color in a space where equal distances look about equally different (Ottosson 2020,
/// https://bottosson.github.io/posts/oklab), with the matrices of CSS Color 4, which give grays no chroma.
package struct OKLab: Hashable, Sendable {
    /// Lightness 0…1, then green to red and blue to yellow, each about -0.4…0.4.
    package var components: SIMD3<Double>

    /// Any position, even outside sRGB.
    package init(_ components: SIMD3<Double>) {
        self.components = components
    }

    package init(_ color: HexColor) {
        self.init(LinearLight(color))
    }

    init(_ light: LinearLight) {
        let (red, green, blue) = (light.red, light.green, light.blue)
        let long = PortableRoots.cube(0.412221469470763 * red + 0.5363325372617348 * green + 0.0514459932675022 * blue)
        let medium = PortableRoots.cube(
            0.2119034958178252 * red + 0.6806995506452344 * green + 0.1073969535369405 * blue)
        let short = PortableRoots.cube(
            0.0883024591900564 * red + 0.2817188391361215 * green + 0.6299787016738222 * blue)
        components = SIMD3(
            0.210454268309314 * long + 0.7936177747023054 * medium - 0.0040720430116193 * short,
            1.9779985324311684 * long - 2.42859224204858 * medium + 0.450593709617411 * short,
            0.0259040424655478 * long + 0.7827717124575296 * medium - 0.8086757549230774 * short)
    }

    /// The 8-bit color; outside sRGB each channel is clamped.
    package var color: HexColor { light.color }

    /// Enough bisection steps for 8 bits.
    private static let halvings = 24

    /// The color of the same lightness and hue with as much of the chroma as sRGB can show, found by bisection (CSS
    /// Color 4, section 13.2, without its clipping).
    var mostColorful: HexColor {
        func reduced(_ share: Double) -> LinearLight {
            OKLab(SIMD3(components.x, components.y * share, components.z * share)).light
        }
        if reduced(1).isDisplayable { return reduced(1).color }
        var inside = 0.0
        var outside = 1.0
        for _ in 0..<Self.halvings {
            let middle = (inside + outside) / 2
            if reduced(middle).isDisplayable { inside = middle } else { outside = middle }
        }
        return reduced(inside).color
    }

    /// Components beyond 0…1 if sRGB cannot show the color.
    var light: LinearLight {
        let long = cube(components.x + 0.3963377773761749 * components.y + 0.2158037573099136 * components.z)
        let medium = cube(components.x - 0.1055613458156586 * components.y - 0.0638541728258133 * components.z)
        let short = cube(components.x - 0.0894841775298119 * components.y - 1.2914855480194092 * components.z)
        return LinearLight(
            red: 4.076741636075957 * long - 3.307711539258062 * medium + 0.2309699031821044 * short,
            green: -1.2684379732850317 * long + 2.6097573492876887 * medium - 0.3413193760026573 * short,
            blue: -0.0041960761386756 * long - 0.7034186179359362 * medium + 1.7076146940746117 * short)
    }

    /// The distance from gray: 0…about 0.32 inside sRGB.
    package var chroma: Double {
        (components.y * components.y + components.z * components.z).squareRoot()
    }

    /// About 0.02² for two barely distinguishable colors (CSS Color 4, section 13.2).
    package func squaredDistance(to other: OKLab) -> Double {
        let apart = components - other.components
        // Summed explicitly, because SIMD's `sum` does not specify an order.
        return apart.x * apart.x + apart.y * apart.y + apart.z * apart.z
    }

    private func cube(_ value: Double) -> Double { value * value * value }
}

/// Linear RGB, 0…1 inside sRGB (IEC 61966-2-1).
struct LinearLight {
    var red: Double
    var green: Double
    var blue: Double

    /// How far outside 0…1 still counts as inside, for the rounding errors of OKLab's matrices.
    private static let tolerance = 1e-6

    private static let decoded: [Double] = (0...255).map { byte in
        let value = Double(byte) / 255
        if value <= 0.04045 { return value / 12.92 }
        let base = (value + 0.055) / 1.055
        return base * base * PortableRoots.fifth(base * base)
    }

    init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    init(_ color: HexColor) {
        red = Self.decoded[Int(color.red)]
        green = Self.decoded[Int(color.green)]
        blue = Self.decoded[Int(color.blue)]
    }

    /// Whether it is inside sRGB.
    var isDisplayable: Bool {
        [red, green, blue].allSatisfy { $0 >= -Self.tolerance && $0 <= 1 + Self.tolerance }
    }

    /// The 8-bit color; outside sRGB each channel is clamped.
    var color: HexColor {
        HexColor(red: Self.encoded(red), green: Self.encoded(green), blue: Self.encoded(blue))
    }

    /// WCAG 2's relative luminance, 0…1.
    var luminance: Double { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

    private static func encoded(_ light: Double) -> UInt8 {
        if light <= 0 { return 0 }
        if light >= 1 { return 255 }
        if light <= 0.0031308 { return UInt8(12.92 * light * 255 + 0.5) }
        // light^(1/2.4) is the fifth power of its twelfth root.
        let root = PortableRoots.cube(light.squareRoot().squareRoot())
        let squared = root * root
        return UInt8((1.055 * (squared * squared * root) - 0.055) * 255 + 0.5)
    }
}

/// Roots computed only by addition, multiplication and division, which IEEE 754 rounds alike on every machine. The
/// `pow` and `cbrt` of C libraries and browsers differ in the last bit; with these roots, the gallery's script
/// (`CGalleryAssets/oklab.js`) computes the same bits as the daemon.
enum PortableRoots {
    /// - Parameter value: 0…1 or slightly beyond.
    static func cube(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        var rest = value
        var scale = 1.0
        while rest < 0.125 {
            rest *= 8
            scale *= 0.5
        }
        var root = 0.43 + 0.57 * rest
        // Halley's method triples the number of correct digits: three rounds suffice for 53 bits.
        for _ in 0..<3 {
            let cubed = root * root * root
            root = root * (cubed + rest + rest) / (cubed + cubed + rest)
        }
        return root * scale
    }

    /// - Parameter value: 0.001…1.
    static func fifth(_ value: Double) -> Double {
        var root = 1.0
        // Newton's method, from above.
        for _ in 0..<16 {
            let squared = root * root
            root = (4 * root + value / (squared * squared)) / 5
        }
        return root
    }
}
