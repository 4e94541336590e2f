import FoundationEssentials
import PhotoRaster
import Testing

import PhotoColors

@Suite("Colors of a photo")
struct ColorExtractorTests {
    /// Vertical stripes of the given colors, each as wide as its share of 100.
    private func stripes(_ colors: [(hex: String, share: Int)], height: Int = 60) throws -> Raster {
        let columns = try colors.flatMap { hex, share in
            Array(repeating: try #require(HexColor(hex)), count: share)
        }
        return Raster(
            width: columns.count, height: height,
            pixels: (0..<height).flatMap { _ in columns.flatMap { [$0.red, $0.green, $0.blue, 255] } })
    }

    /// A smooth picture of many colors with some noise in it.
    private func colorful(width: Int, height: Int) -> Raster {
        var random: UInt32 = 7
        return Raster(
            width: width, height: height,
            pixels: (0..<width * height).flatMap { index in
                random = random &* 1_664_525 &+ 1_013_904_223
                let noise = UInt8(random >> 28)
                return [
                    UInt8(index % width * 239 / width) + noise, UInt8(index / width * 255 / height), 90 + noise, 255,
                ]
            })
    }

    @Test("A picture of a few flat colors gives exactly these, heaviest first")
    func flatColors() throws {
        let photo = try stripes([("#204060", 20), ("#ff8800", 50), ("#10c030", 30)])
        #expect(
            ColorExtractor(photo).extract(count: 5).colors == [
                SchemeColor(hex: "#ff8800", weight: 0.5), SchemeColor(hex: "#10c030", weight: 0.3),
                SchemeColor(hex: "#204060", weight: 0.2),
            ])
    }

    @Test("Of equally heavy colors the smaller hex comes first")
    func ties() throws {
        let photo = try stripes([("#ffffff", 25), ("#000000", 25), ("#ff0000", 25), ("#0000ff", 25)])
        #expect(
            ColorExtractor(photo).extract(count: 4).colors.map(\.hex) == ["#000000", "#0000ff", "#ff0000", "#ffffff"])
    }

    @Test("Colors that look the same are one")
    func nearColors() throws {
        let photo = try stripes([("#808080", 30), ("#818181", 30), ("#0000ff", 40)])
        let colors = ColorExtractor(photo).extract(count: 5).colors
        #expect(colors.count == 2)
        #expect(colors.first?.weight == 0.6)
    }

    @Test("A colorful photo gives as many colors as asked for, and their weights sum to one", arguments: 3...10)
    func counts(count: Int) {
        let colors = ColorExtractor(colorful(width: 320, height: 240)).extract(count: count).colors
        #expect(colors.count == count)
        #expect(abs(colors.map(\.weight).reduce(0, +) - 1) < 0.0006)
        #expect(colors.map(\.weight) == colors.map(\.weight).sorted(by: >))
        #expect(Set(colors.map(\.hex)).count == count)
    }

    @Test("The same photo gives the same colors on any task")
    func deterministic() async {
        let photo = colorful(width: 500, height: 300)
        let schemes = await withTaskGroup(of: PhotoColorScheme.self) { group in
            for _ in 0..<4 { group.addTask { ColorExtractor(photo).extract(count: 6) } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(schemes.count == 1)
    }

    @Test("Transparent pixels do not count, whatever color they hide")
    func transparency() throws {
        var photo = try stripes([("#ff0000", 50), ("#00ff00", 50)])
        for index in 0..<photo.width * photo.height where photo.pixels[index * 4] == 255 {
            photo.pixels[index * 4 + 3] = 0
        }
        #expect(ColorExtractor(photo).extract(count: 3).colors == [SchemeColor(hex: "#00ff00", weight: 1)])
        #expect(ColorExtractor(Raster(width: 9, height: 9)).extract(count: 3).colors.isEmpty)
    }

    @Test("Pictures of any shape have their color", arguments: [(1, 1), (40_000, 1), (1, 40_000), (3000, 2000)])
    func shapes(width: Int, height: Int) {
        let photo = Raster(width: width, height: height, pixels: [UInt8](repeating: 255, count: width * height * 4))
        #expect(ColorExtractor(photo).extract(count: 3).colors == [SchemeColor(hex: "#ffffff", weight: 1)])
    }

    @Test("In JSON a scheme is a list of hex and weight")
    func coding() throws {
        let scheme = PhotoColorScheme(colors: [SchemeColor(hex: "#ff8800", weight: 0.25)])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(scheme)
        #expect(String(decoding: json, as: UTF8.self) == ##"{"colors":[{"hex":"#ff8800","weight":0.25}]}"##)
        #expect(try JSONDecoder().decode(PhotoColorScheme.self, from: json) == scheme)
    }
}
