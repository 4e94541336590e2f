/// A list of names for colors, and the choice among them. The gallery's `colors.js` makes the same choice.
struct NamedColors {
    private struct Named {
        let name: String
        let center: OKLab
        let chroma: Double
    }

    private let all: [Named]
    private let white: Double
    private let leastColor: Double
    private let leastHueCosine: Double
    private let tintFactor: Double

    /// Below this chroma, a color has no clear hue: only names of grays apply.
    private static let leastTint = 0.02

    /// - Parameters:
    ///   - names: in alphabetical order, each with its color as 0xrrggbb.
    ///   - white: the lightness from which on any name may apply, because slightly tinted whites have their own names.
    ///   - leastColor: the chroma from which on no name of a gray applies.
    ///   - leastHueCosine: the cosine of the greatest difference in hue. A name whose hue is farther away is wrong even
    ///     if its lightness is closer: midnightblue must not stand for dark brown.
    ///   - tintFactor: how much more than lightness the other axes count, in squared distances.
    init(_ names: [(String, UInt32)], white: Double, leastColor: Double, leastHueCosine: Double, tintFactor: Double) {
        self.white = white
        self.leastColor = leastColor
        self.leastHueCosine = leastHueCosine
        self.tintFactor = tintFactor
        all = names.map { name, value in
            let center = OKLab(
                HexColor(
                    red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
                    blue: UInt8(truncatingIfNeeded: value)))
            return Named(name: name, center: center, chroma: center.chroma)
        }
    }

    /// The nearest name among those of about that hue; of equally near ones, the first in alphabetical order.
    func nearest(to hex: HexColor) -> String {
        let center = OKLab(hex)
        let chroma = center.chroma
        var best = (index: 0, distance: Double.infinity)
        for index in all.indices {
            let apart = center.components - all[index].center.components
            let distance = apart.x * apart.x + tintFactor * (apart.y * apart.y + apart.z * apart.z)
            if distance < best.distance, center.components.x >= white || isOfAboutThatHue(all[index], center, chroma) {
                best = (index, distance)
            }
        }
        return all[best.index].name
    }

    private func isOfAboutThatHue(_ other: Named, _ center: OKLab, _ chroma: Double) -> Bool {
        if other.chroma < Self.leastTint { return chroma < leastColor }
        if chroma < Self.leastTint { return false }
        let (a, b) = (center.components, other.center.components)
        return a.y * b.y + a.z * b.z >= leastHueCosine * (chroma * other.chroma)
    }
}
