/// A palette's name: made from untrusted text, harmless in every format.
struct PaletteName {
    /// For people: short, on one line, without control characters or marks that change the text direction, which become
    /// U+FFFD. Must still be escaped for XML and JSON.
    let shown: String
    /// For programs: lower-case ASCII letters, digits and single hyphens, valid in CSS after `--`; `photo` if nothing
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
