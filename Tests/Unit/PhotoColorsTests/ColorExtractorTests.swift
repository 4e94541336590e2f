import PhotoRaster
import TestSupport
import Testing

import PhotoColors

@Suite("Colors of a photo")
struct ColorExtractorTests {
    private func scheme(_ colors: [(String, Double)]) throws -> [SchemeColor] {
        try colors.map { SchemeColor(hex: try #require(HexColor($0.0)), weight: $0.1) }
    }

    /// The distance between two schemes: the mean OKLab distance of each color to the nearest one of the other scheme.
    private func distance(_ first: PhotoColorScheme, _ second: PhotoColorScheme) -> Double {
        func oneWay(_ from: PhotoColorScheme, _ to: PhotoColorScheme) -> Double {
            from.colors.map { color in
                let nearest = to.colors.map { OKLab($0.hex).squaredDistance(to: OKLab(color.hex)) }.min()
                return (nearest ?? .infinity).squareRoot() * color.weight
            }.reduce(0, +)
        }
        return max(oneWay(first, second), oneWay(second, first))
    }

    @Test("An image of a few flat colors gives exactly these, largest weight first")
    func flatColors() throws {
        let photo = try DrawnColors.stripes([("#204060", 20), ("#ff8800", 50), ("#10c030", 30)])
        #expect(
            try ColorExtractor(photo).extract(count: 5).colors
                == scheme([("#ff8800", 0.5), ("#10c030", 0.3), ("#204060", 0.2)]))
    }

    @Test("Ten flat colors give exactly ten colors, in any order of pixels")
    func tenColors() throws {
        let colors = [
            ("#b03020", 19), ("#30a040", 17), ("#3050b0", 15), ("#c0b040", 13), ("#a040a0", 11), ("#40b0b0", 9),
            ("#805020", 7), ("#707070", 5), ("#e0a0b0", 3), ("#304020", 1),
        ]
        let photo = try DrawnColors.stripes(colors)
        let expected = try scheme(colors.map { ($0.0, Double($0.1) / 100) })
        #expect(ColorExtractor(photo).extract(count: 10).colors == expected)
        #expect(ColorExtractor(DrawnColors.shuffled(photo)).extract(count: 10).colors == expected)
    }

    @Test("Weights of flat areas in a large image are exact to half a percent", arguments: [(1000, 667), (1919, 1079)])
    func areas(width: Int, height: Int) throws {
        let (sky, wall, door) = ("#6090c0", "#b08060", "#402010")
        let photo = try DrawnColors.stripes(
            [(sky, width * 2 / 5), (wall, width / 2), (door, width - width * 2 / 5 - width / 2)], height: height)
        let colors = ColorExtractor(photo).extract(count: 5).colors
        #expect(colors.map(\.hex.description) == [wall, sky, door])
        for (color, share) in zip(colors, [0.5, 0.4, 0.1]) { #expect(abs(color.weight - share) < 0.005) }
    }

    @Test("Of colors with equal weights, the smaller hex comes first")
    func ties() throws {
        let photo = try DrawnColors.stripes([("#ff00ff", 25), ("#00ffff", 25), ("#ff0000", 25), ("#0000ff", 25)])
        #expect(
            ColorExtractor(photo).extract(count: 4).colors.map(\.hex.description)
                == ["#0000ff", "#00ffff", "#ff0000", "#ff00ff"])
    }

    @Test("Colors that look the same are merged, and do not displace others")
    func nearTwins() throws {
        let photo = try DrawnColors.stripes([
            ("#808080", 30), ("#848484", 30), ("#0000ff", 20), ("#ff0000", 10), ("#00a000", 10),
        ])
        let colors = ColorExtractor(photo).extract(count: 4).colors
        #expect(colors.count == 4)
        #expect(colors.first == SchemeColor(hex: HexColor(red: 0x82, green: 0x82, blue: 0x82), weight: 0.6))
    }

    @Test("A colorful photo gives the requested number of colors, and their weights sum to one", arguments: 3...10)
    func counts(count: Int) {
        let colors = ColorExtractor(DrawnColors.colorful(width: 320, height: 240)).extract(count: count).colors
        #expect(colors.count == count)
        #expect(abs(colors.map(\.weight).reduce(0, +) - 1) < 1e-9)
        #expect(colors.map(\.weight) == colors.map(\.weight).sorted(by: >))
        #expect(Set(colors.map(\.hex)).count == count)
    }

    @Test("The same photo always gives the same colors, on any task")
    func deterministic() async {
        let photo = DrawnColors.colorful(width: 500, height: 300)
        let samples = await withTaskGroup(of: PhotoColorSample.self) { group in
            for _ in 0..<16 { group.addTask { ColorExtractor(photo).sample() } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(samples.count == 1)
    }

    @Test("Pixels in another order give the same colors: exactly if all are sampled, otherwise to 0.07 in OKLab")
    func order() {
        let small = DrawnColors.colorful(width: 128, height: 128)
        #expect(ColorExtractor(DrawnColors.shuffled(small)).sample() == ColorExtractor(small).sample())
        let large = DrawnColors.colorful(width: 500, height: 300)
        // Of fewer colors, some of this picture's strong ones have no place: a little less weight costs one its own.
        let colors = ColorExtractor(large).extract(count: 6)
        #expect(distance(ColorExtractor(DrawnColors.shuffled(large)).extract(count: 6), colors) < 0.07)
    }

    @Test("An image gives the same colors at any scale, to 0.06 in OKLab", arguments: [2, 3, 5])
    func scale(factor: Int) {
        let photo = DrawnColors.colorful(width: 160, height: 100)
        let large = ColorExtractor(DrawnColors.enlarged(photo, by: factor)).extract(count: 5)
        #expect(distance(large, ColorExtractor(photo).extract(count: 5)) < 0.06)
    }

    @Test("A pixel is weighted by its alpha; the color of transparent pixels has no effect")
    func transparency() throws {
        var photo = try DrawnColors.stripes([("#ff0000", 40), ("#00c000", 40), ("#0000ff", 20)])
        for alpha in stride(from: 3, to: photo.pixels.count, by: Raster.channels) {
            if photo.pixels[alpha - 3] == 0xff { photo.pixels[alpha] = 0 }
            if photo.pixels[alpha - 2] == 0xc0 { photo.pixels[alpha] = 51 }
        }
        // A fifth of 40, and 20.
        #expect(
            try ColorExtractor(photo).extract(count: 3).colors == scheme([("#0000ff", 0.7143), ("#00c000", 0.2857)]))
        #expect(ColorExtractor(Raster(width: 9, height: 9)).sample().entries.isEmpty)
        #expect(ColorExtractor(Raster(width: 9, height: 9)).extract(count: 3).colors.isEmpty)
    }

    @Test("Images of any shape give their color", arguments: [(1, 1), (40_000, 1), (1, 40_000), (3000, 2000)])
    func shapes(width: Int, height: Int) throws {
        let photo = Raster(width: width, height: height, pixels: [UInt8](repeating: 255, count: width * height * 4))
        #expect(try ColorExtractor(photo).extract(count: 3).colors == scheme([("#ffffff", 1)]))
    }

    @Test("A gray photo gives only grays, and no more than have names", arguments: 3...10)
    func grays(count: Int) {
        var random = DrawnRandom(state: UInt64(count))
        let photo = Raster(width: 100, height: 100) { _, _ in
            let value = UInt8(random.next() >> 20 & 255)
            return [value, value, value, 255]
        }
        let colors = ColorExtractor(photo).extract(count: count).colors
        #expect(colors.count == count || colors.count >= 5 && colors.count < count)
        #expect(colors.allSatisfy { $0.hex.isGray && $0.facts.oklch.chroma == 0 && $0.facts.complement == $0.hex })
    }

    @Test("A white sky and black borders do not dominate", arguments: ["#ffffff", "#f4f5f6", "#000000", "#070708"])
    func extremes(extreme: String) throws {
        let photo = try DrawnColors.stripes([(extreme, 60), ("#3070c0", 16), ("#c06030", 24)])
        let colors = ColorExtractor(photo).extract(count: 3).colors
        #expect(colors.map(\.hex.description) == ["#c06030", "#3070c0", extreme])
        // 60 eighths, and 40.
        #expect(abs((colors.last?.weight ?? 0) - 7.5 / 47.5) < 0.0002)
    }

    @Test("Pale tints and dark colors keep their full weight", arguments: ["#ffe0e0", "#e0e0e0", "#202020", "#300000"])
    func notExtreme(hex: String) throws {
        let photo = try DrawnColors.stripes([(hex, 60), ("#3070c0", 40)])
        #expect(try ColorExtractor(photo).extract(count: 3).colors == scheme([(hex, 0.6), ("#3070c0", 0.4)]))
    }
}
