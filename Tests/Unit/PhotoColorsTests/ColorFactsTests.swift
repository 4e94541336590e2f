import FoundationEssentials
import Testing

import PhotoColors

@Suite("Color facts")
struct ColorFactsTests {
    private func facts(_ hex: String) throws -> ColorFacts {
        ColorFacts(of: try #require(HexColor(hex)), weight: 0.25)
    }

    @Test(
        "A color has a name that people give to it",
        arguments: [
            ("#4682b4", "dusty blue"), ("#808080", "medium gray"), ("#00ffff", "cyan"), ("#ff00ff", "bright magenta"),
            ("#663399", "purple"), ("#010101", "black"), ("#fefefe", "white"), ("#3a4209", "dark olive"),
            ("#c0737a", "dusty rose"), ("#ae7181", "mauve"), ("#556b2f", "army green"), ("#e6daa6", "beige"),
            ("#d0e4f4", "light blue gray"),
        ])
    func names(hex: String, name: String) throws {
        #expect(try facts(hex).name == name)
    }

    @Test(
        "Dark brown is not named blue, purple not gray, and gray only gray",
        arguments: [
            ("#5a473b", "brown"), ("#1b1c1f", "black"), ("#784f78", "purple"), ("#8d8d8d", "gray"),
            ("#142a4b", "blue"), ("#696969", "gray"), ("#767352", "brown"),
        ])
    func namesByHue(hex: String, word: String) throws {
        let name = try facts(hex).name
        #expect(name.contains(word), "\(name)")
    }

    @Test("Every color has a name, of words of lowercase letters")
    func words() throws {
        for value in stride(from: 0, to: 1 << 24, by: 4099) {
            let hex = HexColor(red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
            let name = try facts(hex.description).name
            #expect(!name.isEmpty && name.utf8.allSatisfy { (97...122).contains($0) || $0 == 32 }, "\(name)")
        }
    }

    @Test(
        "Contrast is WCAG 2's, rounded down",
        arguments: [("#ffffff", 1, 21), ("#000000", 21, 1), ("#777777", 4.47, 4.68), ("#ff0000", 3.99, 5.25)])
    func contrast(hex: String, white: Double, black: Double) throws {
        let contrast = try facts(hex).contrast
        #expect(contrast.white == white)
        #expect(contrast.black == black)
    }

    @Test(
        "OKLCH is rounded, and a gray has no hue",
        arguments: [("#ff0000", 0.628, 0.2577, 29.2), ("#0000ff", 0.452, 0.3132, 264.1), ("#808080", 0.5999, 0, 0)])
    func polar(hex: String, lightness: Double, chroma: Double, hue: Double) throws {
        let oklch = try facts(hex).oklch
        #expect(oklch.lightness == lightness)
        #expect(oklch.chroma == chroma)
        #expect(oklch.hue == hue)
    }

    @Test("The complement has the opposite hue and the same lightness, is inside sRGB, and has no more chroma")
    func complements() throws {
        var random = DrawnRandom(state: 11)
        for _ in 0..<2000 {
            let value = random.next()
            let color = HexColor(
                red: UInt8(value >> 40 & 255), green: UInt8(value >> 24 & 255), blue: UInt8(value >> 8 & 255))
            let (lab, other) = (OKLab(color).components, OKLab(color.complement).components)
            let chroma = (lab.y * lab.y + lab.z * lab.z).squareRoot()
            let otherChroma = (other.y * other.y + other.z * other.z).squareRoot()
            // Eight bits per channel are coarsest in dark colors.
            guard lab.x > 0.25 else { continue }
            #expect(abs(other.x - lab.x) < 0.006, "\(color)")
            #expect(otherChroma < chroma + 0.006, "\(color)")
            // The deviation from the line through both is only rounding.
            #expect(abs(lab.y * other.z - lab.z * other.y) / max(chroma, 0.001) < 0.008, "\(color)")
            #expect(lab.y * other.y + lab.z * other.z < 0.0001, "\(color)")
        }
    }

    @Test("JSON has every fact under its name")
    func coding() throws {
        let facts = try facts("#ff8800")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(facts)
        #expect(
            String(decoding: json, as: UTF8.self) == """
                {"complement":"\(facts.complement)","contrast":{"black":8.77,"white":2.39},"hex":"#ff8800",\
                "name":"tangerine","oklch":{"chroma":0.1812,"hue":56.5,"lightness":0.7442},"weight":0.25}
                """)
        #expect(try JSONDecoder().decode(ColorFacts.self, from: json) == facts)
    }
}
