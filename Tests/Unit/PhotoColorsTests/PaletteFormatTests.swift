import FoundationEssentials
import Testing

import PhotoColors

/// Tests/Palettes reads the files with other programs, too.
@Suite("Palette files")
struct PaletteFormatTests {
    private static let scheme = ColorExtractor(DrawnColors.colorful(width: 120, height: 80)).extract(count: 5)
    /// Text that ends every kind of string, comment, tag and line, hides itself, and changes the text direction.
    private static let hostile =
        "a\"b\u{301}\"\u{301}\\<script>&]]>*/}\n\r\u{0}\u{1b}[31m\u{202e}\u{2028}\u{85}ü\u{ffff}.gpl"

    private func text(_ format: PaletteFormat, named name: String = "Beach 01") -> String {
        String(decoding: format.file(of: Self.scheme, named: name), as: UTF8.self)
    }

    @Test("Every text format has every color", arguments: PaletteFormat.allCases.filter { $0 != .ase && $0 != .gpl })
    func complete(format: PaletteFormat) {
        let text = text(format)
        for color in Self.scheme.colors {
            #expect(text.contains(color.hex.description))
            #expect(text.contains(color.facts.complement.description))
        }
        #expect(text.hasSuffix("\n"))
    }

    @Test("No name breaks a format", arguments: PaletteFormat.allCases)
    func hostileName(format: PaletteFormat) throws {
        let bytes = format.file(of: Self.scheme, named: Self.hostile)
        guard format != .ase else { return }
        let lines = { (bytes: [UInt8]) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) }
        #expect(lines(bytes).count == lines(format.file(of: Self.scheme, named: "a")).count)
        let text = String(decoding: bytes, as: UTF8.self)
        let controls = text.unicodeScalars.filter {
            $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" || $0.properties.isBidiControl
        }
        #expect(controls.isEmpty)
        #expect(!text.contains("<script") || ![.svg, .css].contains(format))
        #expect(!text.contains("[31m") || !text.contains("\u{1b}[31m"))
    }

    @Test("The tokens are valid JSON with any name", arguments: ["Beach 01", hostile, "", "日本"])
    func tokens(name: String) throws {
        struct Token: Decodable {
            struct Value: Decodable { let colorSpace: String, components: [Double], alpha: Double, hex: HexColor }
            enum CodingKeys: String, CodingKey { case value = "$value" }
            let value: Value
        }
        struct Tokens: Decodable {
            enum CodingKeys: String, CodingKey { case first = "color-1" }
            let first: Token
        }
        let tokens = try JSONDecoder().decode(
            [String: Tokens].self, from: Data(PaletteFormat.json.file(of: Self.scheme, named: name)))
        #expect(tokens.count == 1)
        #expect(tokens.first?.value.first.value.hex == Self.scheme.colors.first?.hex)
    }

    @Test(
        "In CSS and tokens a name is letters, digits and hyphens",
        arguments: [
            ("Beach 01", "beach-01"), ("--x__Y..z--", "x-y-z"), ("", "photo"), ("日本", "photo"),
            ("café au lait", "caf-au-lait"),
            (String(repeating: "ab", count: 30), String(repeating: "ab", count: 20)),
        ])
    func identifiers(name: String, identifier: String) {
        #expect(text(.css, named: name).contains("  --\(identifier)-1: #"))
    }

    @Test("A scheme without colors gives a file", arguments: PaletteFormat.allCases)
    func empty(format: PaletteFormat) {
        #expect(!format.file(of: PhotoColorScheme(colors: []), named: "empty").isEmpty)
    }

    @Test("The CSS export parses and lists every color in order")
    func css() throws {
        let scheme = PhotoColorScheme(
            colors: [
                SchemeColor(hex: try #require(HexColor("#4682b4")), weight: 0.6),
                .init(hex: .init(red: 0, green: 0, blue: 0), weight: 0.4),
            ])
        #expect(
            String(decoding: PaletteFormat.css.file(of: scheme, named: "Sea"), as: UTF8.self) == """
                /* The colors of a photo, heaviest first, each with its complement. */
                :root {
                  --sea-1: #4682b4; /* steelblue, 60.00% */
                  --sea-1-complement: \(HexColor(red: 0x46, green: 0x82, blue: 0xb4).complement);
                  --sea-2: #000000; /* black, 40.00% */
                  --sea-2-complement: #000000;
                  --sea-gradient: linear-gradient(to bottom right, \
                \(scheme.gradient.map(\.description).joined(separator: ", ")));
                }

                """)
    }
}
