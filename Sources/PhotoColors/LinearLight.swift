/// Linear RGB, 0…1 inside sRGB; mixing light adds these values (IEC 61966-2-1).
struct LinearLight {
    var red: Double
    var green: Double
    var blue: Double

    /// How far outside 0…1 still counts as inside: the rounding errors of OKLab's matrices.
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

    /// Whether sRGB contains it.
    var isDisplayable: Bool {
        [red, green, blue].allSatisfy { $0 >= -Self.tolerance && $0 <= 1 + Self.tolerance }
    }

    /// The nearest 8-bit color, channel by channel, if it is outside sRGB.
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
