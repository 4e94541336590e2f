import Testing

import PhotoColors

@Suite("Vivid and distinct colors")
struct ColorClusterTests {
    /// Columns from gray to a color, each as wide as the others.
    private func ramp(to color: HexColor, steps: Int, width: Int) -> [(hex: String, share: Int)] {
        (0..<steps).map { step in
            let channels = [color.red, color.green, color.blue].map { channel in
                128 + (Int(channel) - 128) * (step + steps / 2) / (steps + steps / 2)
            }
            return (
                HexColor(red: UInt8(channels[0]), green: UInt8(channels[1]), blue: UInt8(channels[2])).description,
                width
            )
        }
    }

    @Test(
        "A swatch is as vivid as the vivid part of its pixels, and has their hue",
        arguments: ["#ffd000", "#00a0ff", "#f02060"])
    func vivid(hex: String) throws {
        let color = try #require(HexColor(hex))
        let raft = ramp(to: color, steps: 40, width: 10)
        let photo = try DrawnColors.stripes(raft + [("#f0f0f0", 250), ("#303030", 250), ("#707070", 250)], height: 4)
        let chromas = raft.compactMap { HexColor($0.hex) }.map { OKLab($0).chroma }.sorted()
        let scheme = ColorExtractor(photo).extract(count: 4)
        let swatch = try #require(scheme.colors.map { OKLab($0.hex) }.max { $0.chroma < $1.chroma })
        #expect(swatch.chroma >= 0.92 * chromas[chromas.count * 85 / 100])
        #expect(swatch.chroma <= chromas[chromas.count - 1])
        let (a, b) = (OKLab(color).components, swatch.components)
        #expect(a.y * b.y + a.z * b.z >= 0.97 * OKLab(color).chroma * swatch.chroma)
    }

    @Test("A gray wall with greenish shadows is shown as gray", arguments: 3...5)
    func gray(count: Int) throws {
        let photo = try DrawnColors.stripes([
            ("#707070", 300), ("#72786a", 120), ("#202020", 200), ("#e8e8e8", 200),
        ])
        let colors = ColorExtractor(photo).extract(count: count).colors
        #expect(colors.allSatisfy { OKLab($0.hex).chroma < 0.01 }, "\(colors)")
    }

    @Test("No two colors of a scheme have the same name or are nearer than 10 by CIEDE2000")
    func distinct() throws {
        var random = DrawnRandom(state: 11)
        for round in 0..<120 {
            let range = UInt64(round % 3 == 0 ? 256 : 64)
            let stripes = (0..<24).map { _ in
                let (red, green, blue) = (random.next() % range, random.next() % range, random.next() % range)
                let hex = HexColor(red: UInt8(red), green: UInt8(green), blue: UInt8(blue)).description
                return (hex: hex, share: Int(random.next() % 50) + 1)
            }
            let sample = ColorExtractor(try DrawnColors.stripes(stripes, height: 1)).sample()
            for count in ColorExtractor.counts {
                let colors = sample.scheme(count: count).colors
                #expect(Set(colors.map(\.name)).count == colors.count)
                for (index, color) in colors.enumerated() {
                    for other in colors[..<index] {
                        #expect(CIELab(color.hex).difference(to: CIELab(other.hex)) >= 10)
                    }
                }
            }
        }
    }

    @Test(
        "The difference of two colors is that of the standard",
        arguments: [
            ("#000000", "#ffffff", 100), ("#808080", "#848484", 1.5), ("#3366cc", "#3355dd", 6.52),
            ("#2020c0", "#4030c0", 4.04), ("#ff0000", "#00ff00", 86.61), ("#c08020", "#c0a020", 13.74),
            ("#102030", "#203040", 5.04), ("#e0d0c0", "#c0d0e0", 17.25), ("#7f7f7f", "#7f8f6f", 15.75),
            ("#00ffff", "#ff0000", 70.96),
        ])
    func difference(first: String, second: String, expected: Double) throws {
        let (a, b) = (CIELab(try #require(HexColor(first))), CIELab(try #require(HexColor(second))))
        #expect(abs(a.difference(to: b) - expected) < 0.02)
        #expect(a.difference(to: b) == b.difference(to: a))
    }
}
