/// The file formats of palettes, for other programs.
package enum PaletteFormat: String, CaseIterable, Codable, Sendable {
    /// Design tokens of the W3C's community group (DTCG 2025.10).
    case json
    /// Custom properties on `:root`.
    case css
    /// GIMP's palette, which Inkscape and Krita also read.
    case gpl
    /// Adobe Swatch Exchange.
    case ase
    /// A color wheel.
    case svg
    /// A table for people; in a terminal with colored blocks.
    case text

    /// What it is, in a few words, for the help.
    package var explanation: String {
        switch self {
        case .json: "W3C design tokens"
        case .css: "custom properties"
        case .gpl: "GIMP, Inkscape, Krita"
        case .ase: "Adobe Swatch Exchange"
        case .svg: "a color wheel with complements"
        case .text: "a table, with blocks of the colors in a terminal"
        }
    }

    /// Whether the palettes of several photos, one after the other, are still a valid file.
    package var canBeJoined: Bool {
        switch self {
        case .css, .text: true
        case .json, .gpl, .ase, .svg: false
        }
    }

    /// Whether a terminal cannot show it.
    package var isBinary: Bool {
        switch self {
        case .ase: true
        case .json, .css, .gpl, .svg, .text: false
        }
    }

    /// The extension, without the dot. No two formats have the same: a photo's palettes are files of one folder.
    package var fileExtension: String {
        switch self {
        case .json: "tokens.json"
        case .text: "txt"
        case .css, .gpl, .ase, .svg: rawValue
        }
    }

    /// The whole file. Text is UTF-8 and ends with a newline. The same scheme and name give the same bytes.
    ///
    /// - Parameters:
    ///   - scheme: its colors in their order.
    ///   - name: such as the photo's stem; may be any text: each format gets a safe form of it (see `PaletteName`).
    ///   - hasBlocks: whether `text` begins each line with blocks of 24-bit color, which need escape sequences. Only
    ///     for a terminal.
    package func file(of scheme: PhotoColorScheme, named name: String, hasBlocks: Bool = false) -> [UInt8] {
        let name = PaletteName(name)
        let colors = scheme.colors.map(\.facts)
        return switch self {
        case .json: Array(DesignTokens.text(of: colors, gradient: scheme.gradient, named: name).utf8)
        case .css: Array(CSSPalette.text(of: colors, gradient: scheme.gradient, named: name).utf8)
        case .gpl: Array(GIMPPalette.text(of: colors, named: name).utf8)
        case .ase: AdobeSwatches.bytes(of: colors, named: name)
        case .svg: Array(ColorWheel.text(of: colors, gradient: scheme.gradient, named: name).utf8)
        case .text: Array(TextPalette.text(of: colors, named: name, hasBlocks: hasBlocks).utf8)
        }
    }

    /// What the custom properties of `css` begin with.
    package static func customProperty(named name: String) -> String { "--\(PaletteName(name).identifier)" }
}

/// A palette's name, made from untrusted text and safe in every format.
struct PaletteName {
    /// For people: short, on one line, without control characters or marks that change the text direction, which become
    /// U+FFFD. Must still be escaped for XML and JSON.
    let shown: String
    /// For programs: lowercase ASCII letters, digits and single hyphens, valid in CSS after `--`; `photo` if nothing
    /// else is left.
    let identifier: String

    private static let maxShown = 100
    private static let maxIdentifier = 40
    private static let replacement: Unicode.Scalar = "\u{fffd}"

    init(_ text: String) {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(Self.maxShown) {
            shown.append(Self.isHarmless(scalar) ? scalar : Self.replacement)
        }
        self.shown = String(shown)

        var identifier = ""
        for scalar in text.unicodeScalars where identifier.utf8.count < Self.maxIdentifier {
            switch scalar {
            case "a"..."z", "0"..."9": identifier.unicodeScalars.append(scalar)
            case "A"..."Z": identifier += String(scalar).lowercased()
            default: if !identifier.isEmpty, identifier.last != "-" { identifier += "-" }
            }
        }
        if identifier.last == "-" { identifier.removeLast() }
        self.identifier = identifier.isEmpty ? "photo" : identifier
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isBidiControl || properties.isNoncharacterCodePoint { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }
}

extension Double {
    /// Exactly this many digits after the point, in every locale; halves are rounded up.
    package func decimals(_ digits: Int) -> String {
        if digits == 0 { return String(Int(rounded())) }
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((magnitude * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        let sign = self < 0 && scaled > 0 ? "-" : ""
        return "\(sign)\(scaled / scale).\(String(repeating: "0", count: digits - fraction.utf8.count))\(fraction)"
    }

    /// A fraction in percent, such as `32.10%`.
    var percent: String { (self * 100).decimals(2) + "%" }
}
