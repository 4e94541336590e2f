import Testing

import PhotoColors

@Suite("Gradients")
struct GradientTests {
    private func gradient(_ hexes: String...) throws -> [String] {
        let colors = try hexes.map { SchemeColor(hex: try #require(HexColor($0)), weight: 0.1) }
        return PhotoColorScheme(colors: colors).gradient.map(\.description)
    }

    @Test("A gradient has the four colors of largest weight, from light to dark")
    func four() throws {
        #expect(
            try gradient("#204060", "#ff8800", "#ffffff", "#10c030", "#123456")
                == ["#ffffff", "#ff8800", "#10c030", "#204060"])
    }

    @Test("Fewer colors are spread over the four places, with the outermost unchanged")
    func fewer() throws {
        #expect(try gradient("#000000", "#ffffff").first == "#ffffff")
        #expect(try gradient("#000000", "#ffffff").last == "#000000")
        #expect(Set(try gradient("#000000", "#ffffff")).count == 4)
        let three = try gradient("#204060", "#ff8800", "#ffffff")
        #expect(three.first == "#ffffff" && three.last == "#204060" && three.count == 4)
    }

    @Test("One color gives a gradient from slightly lighter to slightly darker, and no color the same for a light gray")
    func single() throws {
        for hexes in [["#3070c0"], ["#ffffff"], ["#000000"], []] {
            let colors = try hexes.map { SchemeColor(hex: try #require(HexColor($0)), weight: 1) }
            let lightness = PhotoColorScheme(colors: colors).gradient.map { OKLab($0).components.x }
            #expect(lightness.count == 4)
            #expect(lightness == lightness.sorted(by: >))
            #expect(lightness[0] > lightness[3])
        }
    }
}
