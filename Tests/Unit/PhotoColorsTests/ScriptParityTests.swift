import FoundationEssentials
import Testing

import PhotoColors

/// The gallery's script computes schemes, too: `Tests/Palettes/parity.sh` compares it with the output of these tests.
@Suite("The gallery's script")
struct ScriptParityTests {
    private struct Answer: Codable, Equatable {
        struct Scheme: Codable, Equatable {
            let count: Int
            let colors: [ColorFacts]
            let gradient: [HexColor]
            let css: String
            let gpl: String
            /// Its bytes in hexadecimal.
            let ase: String
            let svg: String
            let text: String
        }
        let sample: PhotoColorSample
        let name: String
        let schemes: [Scheme]

        init(_ sample: PhotoColorSample, named name: String) {
            self.sample = sample
            self.name = name
            schemes = ColorExtractor.counts.map { count in
                let scheme = sample.scheme(count: count)
                let text = { (format: PaletteFormat) in
                    String(decoding: format.file(of: scheme, named: name), as: UTF8.self)
                }
                let ase = PaletteFormat.ase.file(of: scheme, named: name)
                    .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                return Scheme(
                    count: count, colors: scheme.colors.map(\.facts), gradient: scheme.gradient, css: text(.css),
                    gpl: text(.gpl), ase: ase, svg: text(.svg), text: text(.text))
            }
        }
    }

    /// Stripes of random colors, of grays, and of similar colors.
    private func picture(_ random: inout DrawnRandom) throws -> [(hex: String, share: Int)] {
        let kind = random.next() % 4
        return (0..<Int(random.next() % 24) + 1).map { _ in
            let (red, green, blue) = (random.next() & 255, random.next() & 255, random.next() & 255)
            let channels =
                switch kind {
                case 0: [red, red, red]
                case 1: [120 + red / 16, 130 + green / 16, blue / 8]
                default: [red, green, blue]
                }
            let hex = HexColor(red: UInt8(channels[0]), green: UInt8(channels[1]), blue: UInt8(channels[2]))
            return (hex.description, Int(random.next() % 200) + 1)
        }
    }

    @Test("The reference for the gallery's script is written, and is read back unchanged")
    func answers() throws {
        var random = DrawnRandom(state: 23)
        var answers = [Answer(try #require(PhotoColorSample("")), named: "")]
        for index in 0..<200 {
            let photo = try DrawnColors.stripes(picture(&random), height: 1)
            answers.append(Answer(ColorExtractor(photo).sample(), named: "Rändom <\(index)>*/ X\u{202e}&\n😀"))
        }
        answers.append(
            Answer(ColorExtractor(DrawnColors.colorful(width: 320, height: 200)).sample(), named: "colorful"))
        let json = try JSONEncoder().encode(answers)
        #expect(try JSONDecoder().decode([Answer].self, from: json) == answers)
        if let path = ProcessInfo.processInfo.environment["STICKERD_COLOR_ANSWERS"] {
            try json.write(to: URL(filePath: path))
        }
    }
}
