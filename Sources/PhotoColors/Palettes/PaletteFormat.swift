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
    /// Colored blocks for a terminal with 24-bit color.
    case text

    /// Without the dot.
    package var fileExtension: String {
        switch self {
        case .json: "tokens.json"
        case .text: "txt"
        case .css, .gpl, .ase, .svg: rawValue
        }
    }

    /// The whole file. Text is UTF-8 and ends with a newline. The same scheme and name give the same bytes.
    ///
    /// The palette's name, such as the photo's stem, may be any text: each format gets a harmless form of it (see
    /// `PaletteName`).
    package func file(of scheme: PhotoColorScheme, named name: String) -> [UInt8] {
        let name = PaletteName(name)
        let colors = scheme.colors.map(\.facts)
        return switch self {
        case .json: Array(DesignTokens.text(of: colors, gradient: scheme.gradient, named: name).utf8)
        case .css: Array(CSSPalette.text(of: colors, gradient: scheme.gradient, named: name).utf8)
        case .gpl: Array(GIMPPalette.text(of: colors, named: name).utf8)
        case .ase: AdobeSwatches.bytes(of: colors, named: name)
        case .svg: Array(ColorWheel.text(of: colors, gradient: scheme.gradient, named: name).utf8)
        case .text: Array(TerminalPalette.text(of: colors, named: name).utf8)
        }
    }
}
