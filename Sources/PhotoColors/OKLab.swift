#if canImport(Glibc)
import Glibc
#endif

/// A color in a space where equal distances look about equally different (Ottosson 2020,
/// https://bottosson.github.io/posts/oklab).
package struct OKLab: Hashable, Sendable {
    /// Lightness 0…1, then green to red and blue to yellow, each about -0.4…0.4.
    package var components: SIMD3<Float>

    /// Takes any position, also one that no sRGB color has.
    package init(_ components: SIMD3<Float>) {
        self.components = components
    }

    package init(_ color: HexColor) {
        let red = Self.linear[Int(color.red)]
        let green = Self.linear[Int(color.green)]
        let blue = Self.linear[Int(color.blue)]
        let long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
        let medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
        let short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
        components = SIMD3(
            0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
            1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
            0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short)
    }

    /// The nearest 8-bit color, channel by channel, where it lies outside of sRGB.
    package var color: HexColor {
        let long = cube(components.x + 0.3963377774 * components.y + 0.2158037573 * components.z)
        let medium = cube(components.x - 0.1055613458 * components.y - 0.0638541728 * components.z)
        let short = cube(components.x - 0.0894841775 * components.y - 1.2914855480 * components.z)
        return HexColor(
            red: Self.encoded(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
            green: Self.encoded(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
            blue: Self.encoded(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short))
    }

    /// About 0.02² for two colors that can just be told apart.
    package func squaredDistance(to other: OKLab) -> Float {
        let difference = components - other.components
        return (difference * difference).sum()
    }

    /// Linear light for each 8-bit sRGB value (IEC 61966-2-1).
    private static let linear: [Float] = (0...255).map { byte in
        let value = Float(byte) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ linear: Float) -> UInt8 {
        let value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
        return UInt8((min(max(value, 0), 1) * 255).rounded())
    }

    private func cube(_ value: Float) -> Float { value * value * value }
}
