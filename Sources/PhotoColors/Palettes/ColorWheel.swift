#if canImport(Glibc)
import Glibc
#endif

/// An SVG drawing: one wedge per color in proportion to its weight, ordered by hue; on an inner ring, each color's
/// complement opposite its wedge; and a legend below.
enum ColorWheel {
    private static let width = 800.0
    private static let center = (x: 400.0, y: 372.0)
    private static let colors = (inner: 196.0, outer: 320.0)
    private static let complements = (inner: 128.0, outer: 188.0)
    private static let hub = 112.0
    /// The top of the list, and the height of a line.
    private static let (list, line) = (752.0, 44.0)
    /// Narrower wedges have no space for a hex code.
    private static let leastLabelled = 0.07
    private static let paper = "#fcfcfb"
    private static let ink = "#232326"
    private static let faintInk = "#6a6a70"

    static func text(of colors: [ColorFacts], gradient: [HexColor], named name: PaletteName) -> String {
        let height = list + Double(max(colors.count, 1)) * line + 28
        let title = escaped(name.shown)
        let stops = gradient.enumerated().map { index, color in
            #"<stop offset="\#((Double(index) / 3).decimals(4))" stop-color="\#(color)"/>"#
        }
        let text = colors.map { "\($0.name) \($0.hex) \($0.weight.percent)" }.joined(separator: ", ")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.decimals(0)) \(height.decimals(0))" \
            width="\(width.decimals(0))" height="\(height.decimals(0))" role="img" aria-labelledby="title description" \
            font-family="system-ui, 'Helvetica Neue', Arial, sans-serif">
            <title id="title">The colors of \(title)</title>
            <desc id="description">\(text.isEmpty ? "No colors" : text)</desc>
            <defs><linearGradient id="gradient" x1="0" y1="0" x2="1" y2="1">\(stops.joined())</linearGradient></defs>
            <rect width="100%" height="100%" rx="28" fill="\(paper)"/>
            \((wedges(of: colors) + [hubText()] + legend(of: colors)).joined(separator: "\n"))
            </svg>

            """
    }

    /// Both rings, then the labels on top.
    private static func wedges(of colors: [ColorFacts]) -> [String] {
        var start = 0.0
        var shapes: [String] = []
        var labels: [String] = []
        for color in colors.sorted(by: isBefore) {
            let title = "\(color.name) \(color.hex) \(color.weight.percent)"
            shapes.append(wedge(color.hex, from: start, share: color.weight, ring: self.colors, title: title))
            shapes.append(
                wedge(
                    color.complement, from: start + 0.5, share: color.weight, ring: complements,
                    title: "complement of \(color.name) \(color.complement)"))
            if color.weight >= leastLabelled { labels.append(label(color, at: start + color.weight / 2)) }
            start += color.weight
        }
        return shapes + labels
    }

    /// By hue; colors with almost none come last, light before dark.
    private static func isBefore(_ first: ColorFacts, _ second: ColorFacts) -> Bool {
        let (a, b) = (first.oklch, second.oklch)
        switch (a.chroma < 0.02, b.chroma < 0.02) {
        case (false, false): return a.hue == b.hue ? first.hex < second.hex : a.hue < b.hue
        case (true, true): return a.lightness == b.lightness ? first.hex < second.hex : a.lightness > b.lightness
        case (let isGray, _): return !isGray
        }
    }

    private static func wedge(
        _ color: HexColor, from start: Double, share: Double, ring: (inner: Double, outer: Double), title: String
    ) -> String {
        // SVG draws nothing for an arc that ends where it begins, so a full ring is two halves.
        let parts = share > 0.9999 ? [(start, start + 0.5), (start + 0.5, start + 1)] : [(start, start + share)]
        let path = parts.map { start, end in
            let large = end - start > 0.5 ? 1 : 0
            return "M\(point(start, ring.outer)) A\(radius(ring.outer)) 0 \(large) 1 \(point(end, ring.outer)) "
                + "L\(point(end, ring.inner)) A\(radius(ring.inner)) 0 \(large) 0 \(point(start, ring.inner)) Z"
        }
        let edge = share > 0.9999 ? color.description : paper
        return """
            <path d="\(path.joined(separator: " "))" fill="\(color)" stroke="\(edge)" stroke-width="3" \
            stroke-linejoin="round"><title>\(title)</title></path>
            """
    }

    private static func label(_ color: ColorFacts, at turn: Double) -> String {
        let place = position(turn, (colors.inner + colors.outer) / 2)
        let fill = color.contrast.white >= color.contrast.black ? "#ffffff" : "#000000"
        return text(color.hex.description, x: place.x, y: place.y + 6, size: 19, fill: fill, "text-anchor=\"middle\"")
    }

    private static func hubText() -> String {
        #"<circle cx="\#(center.x.decimals(0))" cy="\#(center.y.decimals(0))" r="\#(hub.decimals(0))" "#
            + #"fill="url(#gradient)"/>"#
    }

    /// One line per color, largest weight first.
    private static func legend(of colors: [ColorFacts]) -> [String] {
        colors.enumerated().map { index, color in
            let y = list + Double(index) * line
            return [
                dot(color.hex, x: 150, y: y, radius: 15), dot(color.complement, x: 176, y: y, radius: 9),
                text(color.hex.description, x: 208, y: y + 6, size: 19, fill: ink),
                text(color.name, x: 320, y: y + 6, size: 19, fill: faintInk),
                text(color.weight.percent, x: 650, y: y + 6, size: 19, fill: ink, "text-anchor=\"end\""),
            ].joined()
        }
    }

    private static func dot(_ color: HexColor, x: Double, y: Double, radius: Double) -> String {
        """
        <circle cx="\(x.decimals(0))" cy="\(y.decimals(0))" r="\(radius.decimals(0))" fill="\(color)" \
        stroke="\(ink)" stroke-opacity="0.15"/>
        """
    }

    private static func text(
        _ text: String, x: Double, y: Double, size: Int, fill: String, _ attributes: String = ""
    ) -> String {
        """
        <text x="\(x.decimals(1))" y="\(y.decimals(1))" font-size="\(size)" fill="\(fill)" \(attributes)>\(text)</text>
        """
    }

    /// - Parameter turn: from the top, clockwise, in whole turns.
    private static func position(_ turn: Double, _ radius: Double) -> (x: Double, y: Double) {
        let angle = turn * 2 * Double.pi
        return (center.x + radius * sin(angle), center.y - radius * cos(angle))
    }

    private static func point(_ turn: Double, _ radius: Double) -> String {
        let place = position(turn, radius)
        return "\(place.x.decimals(2)) \(place.y.decimals(2))"
    }

    private static func radius(_ radius: Double) -> String { "\(radius.decimals(0)) \(radius.decimals(0))" }

    private static func escaped(_ text: String) -> String {
        // By Unicode scalar: a bracket with an accent is a different `Character`, but still opens a tag.
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
