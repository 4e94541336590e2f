import PackFacts
@testable import Packs
import Testing

@Suite("Lines of the pack written last")
struct LineCacheTests {
    @Test("A line is made once, and again if its sticker had left the pack")
    func left() {
        var cache = LineCache()
        func made(_ stickers: String...) -> [String] {
            var made: [String] = []
            let entries = stickers.map { PackEntry(id: $0, name: $0, file: $0, width: 1, height: 1, bytes: 1) }
            _ = cache.lines(of: entries) { entry in
                made.append(entry.name)
                return .string(entry.name)
            }
            return made
        }
        #expect(made("a", "b") == ["a", "b"] && made("a", "b", "c") == ["c"])
        #expect(made("a") == [] && made("b", "a") == ["b"])
    }

    @Test("A line is made again if only the normalization of the sticker's name has changed")
    func normalization() {
        var cache = LineCache()
        var made = 0
        for name in ["caf\u{e9}", "cafe\u{301}", "cafe\u{301}"] {
            let entry = PackEntry(id: "a", name: name, file: "a.png", width: 1, height: 1, bytes: 1)
            _ = cache.lines(of: [entry]) { entry in
                made += 1
                return .string(entry.name)
            }
        }
        #expect(made == 2)
    }
}
