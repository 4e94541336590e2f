/// CIELAB for D65, and CIEDE2000 (Sharma, Wu and Dalal 2005, "The CIEDE2000 Color-Difference Formula").
///
/// Angles are computed as directions, by basic arithmetic and square roots alone, which round alike on every machine
/// (see `PortableRoots`). The gallery's `difference.js` takes the same steps.
package struct CIELab {
    private let lightness: Double
    private let a: Double
    private let b: Double

    package init(_ color: HexColor) {
        let light = LinearLight(color)
        func root(_ red: Double, _ green: Double, _ blue: Double) -> Double {
            let value = red * light.red + green * light.green + blue * light.blue
            return value > 216.0 / 24389 ? PortableRoots.cube(value) : (24389.0 / 27 * value + 16) / 116
        }
        // sRGB's matrix to XYZ, each row divided by that of white.
        let x = root(0.4339499, 0.3762098, 0.1898403)
        let y = root(0.2126729, 0.7151522, 0.0721749)
        let z = root(0.0177566, 0.1094680, 0.8727754)
        lightness = 116 * y - 16
        a = 500 * (x - y)
        b = 200 * (y - z)
    }

    /// The difference by CIEDE2000, to about 0.01: 1 for two barely distinguishable colors, 100 from black to white.
    package func difference(to other: Self) -> Double {
        let stretch = 1.5 - 0.5 * Self.saturation((chroma(a) + other.chroma(other.a)) / 2)
        let (a1, a2) = (a * stretch, other.a * stretch)
        let (c1, c2) = (chroma(a1), other.chroma(a2))
        let (meanLightness, meanChroma) = ((lightness + other.lightness) / 2, (c1 + c2) / 2)
        let offset = (meanLightness - 50) * (meanLightness - 50)
        let light = (other.lightness - lightness) / (1 + 0.015 * offset / (20 + offset).squareRoot())
        let strong = (c2 - c1) / (1 + 0.045 * meanChroma)

        // The mean hue; if one color is gray, the other's.
        let (share1, share2) = (c2 > 0 ? c2 : 1, c1 > 0 ? c1 : 1)
        let (x, y) = (a1 * share1 + a2 * share2, b * share1 + other.b * share2)
        let length = (x * x + y * y).squareRoot()
        let (cos1, sin1) = length > 0 ? (x / length, y / length) : (1, 0)
        let (cos2, sin2) = (cos1 * cos1 - sin1 * sin1, 2 * cos1 * sin1)
        let (cos3, sin3) = (cos2 * cos1 - sin2 * sin1, sin2 * cos1 + cos2 * sin1)
        let (cos4, sin4) = (cos2 * cos2 - sin2 * sin2, 2 * cos2 * sin2)
        // Cosines and sines of the formula's angles: 30, 6 and 63 degrees.
        let wave30 = 0.17 * (cos1 * 0.8660254 + sin1 * 0.5)
        let wave6 = 0.32 * (cos3 * 0.9945219 - sin3 * 0.1045285)
        let wave63 = 0.2 * (cos4 * 0.4539905 + sin4 * 0.8910065)
        let wave = 1 - wave30 + 0.24 * cos2 + wave6 - wave63
        let (way, height) = (a2 - a1, other.b - b)
        let apart = max(way * way + height * height - (c2 - c1) * (c2 - c1), 0).squareRoot()
        let turned = (a1 * other.b - a2 * b < 0 ? -apart : apart) / (1 + 0.015 * meanChroma * wave)

        // From the versine, the squared distance of the hue from 275 degrees, divided by the square of 25 degrees.
        let versine = 1 - (cos1 * 0.0871557 - sin1 * 0.9961947)
        let angle = 1.0471976 * Self.decay(5.2525 * (2 * versine + versine * versine / 3))
        let square = angle * angle
        let sine = angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42)))
        let rotation = -2 * Self.saturation(meanChroma) * sine
        return (light * light + strong * strong + turned * turned + rotation * strong * turned).squareRoot()
    }

    private func chroma(_ a: Double) -> Double { (a * a + b * b).squareRoot() }

    private static func saturation(_ chroma: Double) -> Double {
        let cube = chroma * chroma * chroma
        let seventh = cube * cube * chroma
        return (seventh / (seventh + 6_103_515_625)).squareRoot()
    }

    /// e to the power of -`value`, nearly: (1 + value / 1024) to the power of -1024.
    private static func decay(_ value: Double) -> Double {
        var power = 1 / (1 + value / 1024)
        for _ in 0..<10 { power *= power }
        return power
    }
}
