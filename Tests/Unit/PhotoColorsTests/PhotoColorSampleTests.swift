import FoundationEssentials
import Testing

import PhotoColors

@Suite("Color samples")
struct PhotoColorSampleTests {
    @Test("A sample is one string with six digits of color and four of weight per entry, also in JSON")
    func coding() throws {
        let sample = ColorExtractor(try DrawnColors.stripes([("#204060", 25), ("#ff8800", 75)])).sample()
        #expect(sample.description == "ff88001d4c20406009c4")
        #expect(PhotoColorSample("ff88001d4c20406009c4") == sample)
        #expect(PhotoColorSample("")?.entries.isEmpty == true)
        let json = try JSONEncoder().encode([sample])
        #expect(String(decoding: json, as: UTF8.self) == #"["ff88001d4c20406009c4"]"#)
        #expect(try JSONDecoder().decode([PhotoColorSample].self, from: json) == [sample])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([PhotoColorSample].self, from: Data(#"["ff8800"]"#.utf8))
        }
    }

    @Test(
        "Any other text is not a sample",
        arguments: [
            "ff8800271", "ff88002710f", "FF88002710", "gg88002710", "ff8800270f", "ff88002711", "ff880027１0",
            "20406009c4ff88001d4c", "ff88001388ff88001388", "ff880027102040600000", "#ff8800271",
        ])
    func refused(text: String) {
        #expect(PhotoColorSample(text) == nil)
    }

    @Test("A sample with too many entries is invalid")
    func tooMany() {
        func text(_ count: Int) -> String {
            (0..<count).map { index in
                let digits = String(index + 16, radix: 16)
                let weight = String(10_000 / count + (index < 10_000 % count ? 1 : 0), radix: 16)
                return "0000\(digits)" + String(repeating: "0", count: 4 - weight.count) + weight
            }.joined()
        }
        #expect(PhotoColorSample(text(24))?.entries.count == 24)
        #expect(PhotoColorSample(text(25)) == nil)
    }

    @Test("Weights sum to exactly ten thousand, and no sample has too many entries")
    func weights() {
        for (width, height) in [(320, 200), (77, 13), (3, 1), (1000, 600)] {
            let entries = ColorExtractor(DrawnColors.colorful(width: width, height: height)).sample().entries
            #expect(entries.map(\.weight).reduce(0, +) == PhotoColorSample.whole)
            #expect((1...PhotoColorSample.maxEntries).contains(entries.count))
        }
    }

    @Test("An unmerged color keeps its code; of two merged ones, the more vivid stands for both")
    func kept() throws {
        let photo = try DrawnColors.stripes([("#b03020", 40), ("#30a040", 30), ("#3050b0", 18), ("#4060c8", 12)])
        let colors = ColorExtractor(photo).sample().scheme(count: 3).colors
        #expect(colors.map(\.hex.description) == ["#b03020", "#30a040", "#4060c8"])
        #expect(colors.map(\.weight) == [0.4, 0.3, 0.3])
    }

    @Test("A subject's pixels count two and a half times, in a sample of the usual size")
    func emphasis() throws {
        let photo = ColorExtractor(try DrawnColors.stripes([("#707880", 90), ("#c03020", 10)])).sample()
        let subject = ColorExtractor(try DrawnColors.stripes([("#c03020", 10)])).sample()
        // 90 and 25 of 115.
        #expect(
            photo.emphasizing(subject, share: 0.1).entries
                == [
                    .init(hex: HexColor(red: 0x70, green: 0x78, blue: 0x80), weight: 7826),
                    .init(hex: HexColor(red: 0xc0, green: 0x30, blue: 0x20), weight: 2174),
                ])
        #expect(photo.emphasizing(subject, share: 0) == photo)
        let colorful = ColorExtractor(DrawnColors.colorful(width: 320, height: 200)).sample()
        let both = colorful.emphasizing(photo, share: 0.3)
        #expect(both.entries.count <= PhotoColorSample.maxEntries)
        #expect(both.entries.map(\.weight).reduce(0, +) == PhotoColorSample.whole)
    }

    @Test("The sample of a stored scheme gives the same scheme, and no more colors", arguments: 3...10)
    func known(count: Int) throws {
        let sample = ColorExtractor(DrawnColors.colorful(width: 320, height: 200)).sample()
        let scheme = sample.scheme(count: count)
        let known = try #require(PhotoColorSample(scheme))
        #expect(known.scheme(count: count) == scheme)
        #expect(known.scheme(count: 10) == scheme)
    }

    @Test("An invalid scheme has no sample", arguments: [[], [0], [.nan], [.infinity], [-1], [1.5]])
    func senseless(weights: [Double]) {
        let colors = weights.map { SchemeColor(hex: HexColor(red: 1, green: 2, blue: 3), weight: $0) }
        #expect(PhotoColorSample(PhotoColorScheme(colors: colors)) == nil)
    }

    @Test("A scheme is encoded in JSON as a list of hex and weight")
    func schemeCoding() throws {
        let scheme = try #require(PhotoColorSample("ff88001d4c20406009c4")).scheme(count: 5)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(scheme)
        #expect(
            String(decoding: json, as: UTF8.self)
                == ##"{"colors":[{"hex":"#ff8800","weight":0.75},{"hex":"#204060","weight":0.25}]}"##)
        #expect(try JSONDecoder().decode(PhotoColorScheme.self, from: json) == scheme)
    }
}
