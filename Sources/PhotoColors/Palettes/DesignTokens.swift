/// Design tokens of DTCG 2025.10 (https://www.designtokens.org/tr/2025.10/color/): one group named after the palette,
/// with its colors, their complements and the gradient. Other data is in `$extensions`.
///
/// Written by hand, because no encoder keeps the colors' order.
enum DesignTokens {
    static func text(of colors: [ColorFacts], gradient: [HexColor], named name: PaletteName) -> String {
        let tokens = colors.enumerated().flatMap { index, color in
            [
                token("color-\(index + 1)", color.hex, "\(color.name), \(color.weight.percent)", facts(color)),
                token("color-\(index + 1)-complement", color.complement, "complement of \(color.name)", nil),
            ]
        }
        let stops = gradient.enumerated().map { index, color in
            #"        { "color": \#(value(color)), "position": \#((Double(index) / 3).decimals(4)) }"#
        }
        let gradient = """
                "gradient": {
                  "$type": "gradient",
                  "$description": "from the top leading to the bottom trailing corner",
                  "$value": [
            \(stops.joined(separator: ",\n"))
                  ]
                }
            """
        return """
            {
              "\(name.identifier)": {
                "$type": "color",
                "$description": \(quoted("The colors of \(name.shown), heaviest first")),
            \((tokens + [gradient]).joined(separator: ",\n"))
              }
            }

            """
    }

    private static func token(_ name: String, _ color: HexColor, _ description: String, _ facts: String?) -> String {
        let extensions = facts.map { ",\n      \"$extensions\": { \"stickerd\": \($0) }" } ?? ""
        return """
                "\(name)": {
                  "$value": \(value(color)),
                  "$description": \(quoted(description))\(extensions)
                }
            """
    }

    private static func value(_ color: HexColor) -> String {
        let components = [color.red, color.green, color.blue].map { (Double($0) / 255).decimals(4) }
        return """
            { "colorSpace": "srgb", "components": [\(components.joined(separator: ", "))], "alpha": 1, "hex": "\(color)" }
            """
    }

    private static func facts(_ color: ColorFacts) -> String {
        let (oklch, contrast) = (color.oklch, color.contrast)
        return """
            { "weight": \(color.weight.decimals(4)), "name": \(quoted(color.name)), \
            "oklch": { "lightness": \(oklch.lightness.decimals(4)), "chroma": \(oklch.chroma.decimals(4)), \
            "hue": \(oklch.hue.decimals(1)) }, \
            "contrast": { "white": \(contrast.white.decimals(2)), "black": \(contrast.black.decimals(2)) } }
            """
    }

    /// A JSON string. `PaletteName` leaves only quotation marks and backslashes to escape.
    private static func quoted(_ text: String) -> String {
        // By Unicode scalar: a quotation mark with an accent is a different `Character`, but still ends the string.
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
            escaped.append(scalar)
        }
        return "\"\(String(escaped))\""
    }
}
