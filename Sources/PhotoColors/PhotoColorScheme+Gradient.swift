extension PhotoColorScheme {
    /// A background for the sticker: always four colors, from the top leading to the bottom trailing corner.
    ///
    /// The two or three most colorful colors, lifted a little in OKLCH, ordered by hue with the lighter end first, and
    /// mixed without losing chroma: in between, complementary colors would become gray. Without a colorful color, the
    /// heaviest grays from light to dark. The first is always lighter than the last.
    ///
    /// For a sticker, call it on the scheme of its subject. The gallery's `gradient.js` gives the same colors.
    package var gradient: [HexColor] {
        let colorful = GradientStop.colorful(colors)
        var stops = colorful.isEmpty ? GradientStop.gray(colors) : colorful
        if stops.count == 1 { stops.append(stops[0]) }
        GradientStop.slope(&stops)
        return (0..<4).map { place in
            let position = Double(place * (stops.count - 1)) / 3
            let index = min(Int(position), stops.count - 2)
            return stops[index].mixed(with: stops[index + 1], position - Double(index)).mostColorful
        }
    }
}

/// How a gradient's colors are chosen, as positions in OKLab.
private enum GradientStop {
    /// The least difference in lightness between the ends: a smaller one looks flat.
    private static let leastSlope = 0.16
    /// The most colors that a gradient is made of.
    private static let most = 3
    /// Colors with less chroma count as gray.
    private static let leastChroma = 0.04
    /// A color with less of the strongest one's chroma would make the gradient dull.
    private static let leastShare = 0.5
    /// The cosine of 120 degrees: the greatest difference in hue from the strongest color.
    private static let leastHueCosine = -0.5
    /// Darker colors are moved this part of the way to this lightness.
    private static let (light, lift) = (0.8, 0.4)
    private static let boost = 1.15
    /// The gradient's color if there is no color: a light gray.
    private static let none = HexColor(red: 224, green: 224, blue: 224)

    /// A color of the scheme, and its position relative to gray.
    private struct Candidate {
        let lab: OKLab
        let chroma: Double
        let score: Double
    }

    private struct Turned {
        let lab: OKLab
        let angle: Double

        func precedes(_ other: Self) -> Bool {
            angle == other.angle ? lab.components.x > other.lab.components.x : angle < other.angle
        }
    }

    /// The two or three most colorful colors, lifted, in the gradient's order; one if no other goes with it, or none.
    ///
    /// A color's weight counts, but less than its chroma: by its fourth root.
    static func colorful(_ colors: [SchemeColor]) -> [OKLab] {
        let candidates = colors.map { color in
            let lab = OKLab(color.hex)
            return Candidate(lab: lab, chroma: lab.chroma, score: lab.chroma * color.weight.squareRoot().squareRoot())
        }.filter { $0.chroma >= leastChroma }
        guard let lead = candidates.max(by: { $0.score < $1.score }) else { return [] }
        let fitting = candidates.filter {
            $0.chroma >= leastShare * lead.chroma && dot($0.lab, lead.lab) >= leastHueCosine * ($0.chroma * lead.chroma)
        }
        let strongest = fitting.enumerated().sorted { first, second in
            let (a, b) = (first.element.score, second.element.score)
            return a == b ? first.offset < second.offset : a > b
        }
        let turned = strongest.prefix(most).map { Turned(lab: $0.element.lab, angle: angle($0.element, from: lead)) }
        let chosen = turned.sorted { $0.precedes($1) }.map { lifted($0.lab) }
        guard let first = chosen.first, let last = chosen.last else { return [] }
        return first.components.x < last.components.x ? chosen.reversed() : chosen
    }

    /// The heaviest colors, lifted, from light to dark.
    static func gray(_ colors: [SchemeColor]) -> [OKLab] {
        let heaviest = colors.isEmpty ? [none] : colors.prefix(4).map(\.hex)
        return heaviest.map { (hex: $0, lab: OKLab($0)) }
            .sorted {
                let (first, second) = ($0.lab.components.x, $1.lab.components.x)
                return first == second ? $0.hex < $1.hex : first > second
            }
            .map { lifted($0.lab) }
    }

    /// Makes the first color lighter and the last one darker, if both are of about the same lightness.
    static func slope(_ stops: inout [OKLab]) {
        let last = stops.count - 1
        let missing = leastSlope - (stops[0].components.x - stops[last].components.x)
        guard missing > 0 else { return }
        stops[0].components.x = min(stops[0].components.x + missing / 2, 1)
        stops[last].components.x = max(stops[last].components.x - missing / 2, 0)
    }

    /// Increases with the difference in hue, -2…2. Not the angle itself: `atan2` differs between C libraries.
    private static func angle(_ color: Candidate, from lead: Candidate) -> Double {
        let (a, b) = (lead.lab.components, color.lab.components)
        let turn = 1 - dot(color.lab, lead.lab) / (color.chroma * lead.chroma)
        return a.y * b.z - a.z * b.y < 0 ? -turn : turn
    }

    private static func dot(_ first: OKLab, _ second: OKLab) -> Double {
        first.components.y * second.components.y + first.components.z * second.components.z
    }

    private static func lifted(_ lab: OKLab) -> OKLab {
        let place = lab.components
        let step = place.x < light ? (light - place.x) * lift : 0
        return OKLab(SIMD3(place.x + step, place.y * boost, place.z * boost))
    }
}

extension OKLab {
    /// Below this chroma, a mixture has no hue to keep.
    private static let leastChroma = 1e-6

    /// A color on the way to `other`, with the chroma that lies between theirs.
    fileprivate func mixed(with other: OKLab, _ share: Double) -> OKLab {
        let way = other.components - components
        let step = way * share
        let mixed = OKLab(components + step)
        let (own, wanted) = (mixed.chroma, chroma + (other.chroma - chroma) * share)
        guard own > Self.leastChroma else { return mixed }
        let factor = wanted / own
        return OKLab(SIMD3(mixed.components.x, mixed.components.y * factor, mixed.components.z * factor))
    }
}
