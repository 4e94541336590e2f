import FoundationEssentials
import Testing

import PhotoColors

@Suite("Hex colors")
struct HexColorTests {
    @Test("Six digits of either case are a color, written in lowercase", arguments: ["#00090f", "#FFFFFF", "#aBcDeF"])
    func accepted(text: String) throws {
        let color = try #require(HexColor(text))
        #expect(color.description == text.lowercased())
    }

    @Test(
        "Any other text is not a color",
        arguments: ["", "#", "ffffff", "#fffff", "#fffffff", "#ggffff", "#+12345", "#ffffff ", "white", "#１２３４５６"])
    func refused(text: String) {
        #expect(HexColor(text) == nil)
    }

    @Test(
        "A name is a color of CSS",
        arguments: [("PaleVioletRed", "#db7093"), ("mediumpurple", "#9370db"), ("lightgrey", "#d3d3d3")])
    func named(text: String, hex: String) throws {
        #expect(HexColor(css: text)?.description == hex)
    }

    @Test("A color is encoded in JSON as one string")
    func coding() throws {
        let color = HexColor(red: 1, green: 160, blue: 255)
        let json = try JSONEncoder().encode([color])
        #expect(String(decoding: json, as: UTF8.self) == ##"["#01a0ff"]"##)
        #expect(try JSONDecoder().decode([HexColor].self, from: json) == [color])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([HexColor].self, from: Data(#"["red"]"#.utf8))
        }
    }
}
