import Testing

import PhotoColors

@Suite("Gradients")
struct GradientTests {
    private func gradient(_ hexes: String...) throws -> [OKLab] {
        let colors = try hexes.map { SchemeColor(hex: try #require(HexColor($0)), weight: 0.1) }
        return PhotoColorScheme(colors: colors).gradient.map { OKLab($0) }
    }

    /// The cosine of the difference in hue.
    private func cosine(_ first: OKLab, _ second: OKLab) -> Double {
        let (a, b) = (first.components, second.components)
        return (a.y * b.y + a.z * b.z) / (first.chroma * second.chroma)
    }

    @Test("A gradient has four colors, as strong as the most colorful ones, however many grays are heavier")
    func colorful() throws {
        let stops = try gradient("#808080", "#202020", "#f0f0f0", "#7a4a9a", "#c05080")
        #expect(stops.count == 4)
        #expect(stops.allSatisfy { $0.chroma > 0.1 })
    }

    @Test("No color between two different hues is duller than both")
    func notMuddy() throws {
        for (first, second) in [("#a05a4a", "#5a9060"), ("#4a64a0", "#4a9070"), ("#a08a50", "#905080")] {
            let stops = try gradient(first, second)
            let ends = min(stops[0].chroma, stops[3].chroma)
            for stop in stops { #expect(stop.chroma > 0.95 * ends, "\(first) \(second)") }
        }
    }

    @Test("Three colors are in the order of their hues")
    func hues() throws {
        let stops = try gradient("#c04040", "#a0a030", "#c08030")
        let ends = cosine(stops[0], stops[3])
        for stop in stops[1...2] {
            #expect(cosine(stop, stops[0]) > ends && cosine(stop, stops[3]) > ends)
        }
    }

    @Test("Dark colors are lifted, and the lighter end is first")
    func lifted() throws {
        let stops = try gradient("#501060", "#103060")
        #expect(stops.allSatisfy { $0.components.x > 0.4 })
        #expect(stops[0].components.x > stops[3].components.x + 0.1)
    }

    @Test("An opposite color is left out: between the two lies gray")
    func opposite() throws {
        let stops = try gradient("#3060d0", "#c08020")
        for stop in stops { #expect(cosine(stop, stops[0]) > 0.9) }
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

    @Test("Grays give grays, from light to dark")
    func grays() throws {
        let stops = try gradient("#202020", "#e0e0e0", "#808080")
        #expect(stops.allSatisfy { $0.chroma < 0.001 })
        #expect(stops.map(\.components.x) == stops.map(\.components.x).sorted(by: >))
    }
}
