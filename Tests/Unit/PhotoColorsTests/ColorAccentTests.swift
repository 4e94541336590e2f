import PhotoRaster
import TestSupport
import Testing

import PhotoColors

@Suite("Accents")
struct ColorAccentTests {
    private static let purple = "#8a2fb8"

    /// Grays of every lightness, and `share` of about 1,000 columns in another color.
    private func grays(and accent: String, share: Int) throws -> Raster {
        let levels = stride(from: 24, through: 232, by: 13).map { level in
            HexColor(red: UInt8(level), green: UInt8(level), blue: UInt8(level)).description
        }
        let width = (1000 - share) / levels.count
        return try DrawnColors.stripes(levels.map { ($0, width) } + [(accent, share)], height: 4)
    }

    private func strongest(_ scheme: PhotoColorScheme) -> Double {
        scheme.colors.map { OKLab($0.hex).chroma }.max() ?? 0
    }

    @Test(
        "Purple flowers before many grays are listed with their own color, by any number of colors", arguments: 3...10)
    func flowers(count: Int) throws {
        let scheme = ColorExtractor(try grays(and: Self.purple, share: 20)).extract(count: count)
        let purple = try #require(HexColor(Self.purple))
        let listed = try #require(scheme.colors.first { $0.hex == purple }, "\(scheme.colors)")
        #expect(abs(listed.weight - 0.02) < 0.012)
        #expect(scheme.colors.count == min(count, 6))
        #expect(abs(scheme.colors.map(\.weight).reduce(0, +) - 1) < 1e-9)
    }

    @Test("Flowers of four colors are all listed among five")
    func meadow() throws {
        let flowers = [(Self.purple, 20), ("#d02030", 20), ("#e0c010", 20), ("#1080d0", 20)]
        let levels = stride(from: 24, through: 232, by: 13).map { HexColor(red: $0, green: $0, blue: $0).description }
        let photo = try DrawnColors.stripes(levels.map { ($0, 56) } + flowers, height: 4)
        let colors = ColorExtractor(photo).extract(count: 5).colors.map(\.hex.description)
        #expect(colors.count == 5)
        for (hex, _) in flowers { #expect(colors.contains(hex), "\(colors)") }
    }

    @Test("Fresh leaves among dull ones, which count as their shades, are listed more vivid than those")
    func leaves() throws {
        let dull = ["#2b342f", "#404d37", "#546449", "#6f7e6d", "#84997e", "#9ab393"]
        let photo = try DrawnColors.stripes(dull.map { ($0, 80) } + [("#52773e", 20)], height: 4)
        #expect(strongest(ColorExtractor(photo).extract(count: 4)) > 0.055)
    }

    @Test("A few pixels are no accent")
    func dust() throws {
        let scheme = ColorExtractor(try grays(and: Self.purple, share: 4)).extract(count: 5)
        #expect(strongest(scheme) < 0.08)
    }

    @Test(
        "A monochrome photo with the noise of a camera gets only its own colors",
        arguments: ["#6b6b6b", "#70665a", "#5a6675"])
    func monochrome(tint: String) throws {
        let tint = try #require(HexColor(tint))
        var random = DrawnRandom(state: 5)
        let photo = Raster(width: 200, height: 120) { x, _ in
            [tint.red, tint.green, tint.blue].map { channel in
                UInt8(clamping: Int(channel) * (30 + x) / 110 + Int(random.next() % 19) - 9)
            } + [255]
        }
        for count in ColorExtractor.counts {
            #expect(strongest(ColorExtractor(photo).extract(count: count)) < 0.05)
        }
    }

    @Test("A rainbow keeps a color nearly as strong as its strongest", arguments: 3...10)
    func rainbow(count: Int) throws {
        let stripes = (0..<24).map { index -> (hex: String, share: Int) in
            let ramp = [0, 4, 8].map { shift -> UInt8 in
                let turn = (index + shift * 2) % 24
                let distance = min(turn, 24 - turn)
                return UInt8(clamping: 510 - distance * 64)
            }
            return (HexColor(red: ramp[0], green: ramp[1], blue: ramp[2]).description, 10)
        }
        let sample = ColorExtractor(try DrawnColors.stripes(stripes)).sample()
        let strongest = sample.entries.map { OKLab($0.hex).chroma }.max() ?? 0
        let scheme = sample.scheme(count: count)
        #expect(self.strongest(scheme) >= 0.65 * strongest)
        #expect(scheme.colors.count == count)
    }

    @Test("The scheme of a stored scheme with an accent is the same")
    func stored() throws {
        let scheme = ColorExtractor(try grays(and: Self.purple, share: 20)).extract(count: 5)
        #expect(try #require(PhotoColorSample(scheme)).scheme(count: 5) == scheme)
    }

    @Test("The strongest color has a place, even if a weaker one is missing at first")
    func strongest() throws {
        let photo = try DrawnColors.stripes(
            [
                ("#d65f4a", 300), ("#0a2b26", 200), ("#04505c", 90), ("#37828e", 150), ("#12584a", 120),
                ("#0f6a50", 60),
                ("#088022", 25), ("#1a10b0", 55),
            ], height: 4)
        let colors = ColorExtractor(photo).extract(count: 5).colors.map(\.hex.description)
        #expect(colors.contains("#1a10b0"), "\(colors)")
    }

    @Test("A strong color keeps its place when the last place of the others goes to an accent")
    func displaced() throws {
        let photo = try DrawnColors.stripes(
            [
                ("#17130e", 549), ("#9b8785", 178), ("#d50d0e", 150), ("#298aa1", 60), ("#bfe05d", 26), ("#1b629d", 20),
                ("#efac06", 17),
            ], height: 4)
        let colors = ColorExtractor(photo).extract(count: 5).colors.map(\.hex.description)
        #expect(colors.contains("#d50d0e"), "\(colors)")
    }
}
