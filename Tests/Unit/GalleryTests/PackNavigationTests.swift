import Foundation
import Gallery
import Testing

@Suite("The list of packs as a script")
struct PackNavigationTests {
    private struct List: Decodable {
        struct Pack: Decodable {
            let name: String
            let folder: String
            let stickers: Int
            let cover: String?
        }
        let packs: [Pack]
    }

    private func script(_ name: String) -> String {
        String(
            decoding: PackNavigation([
                .init(name: "All", identifier: "all", folder: "", stickers: 0, cover: nil),
                .init(name: name, identifier: name, folder: name, stickers: 3, cover: name),
            ]).bytes, as: UTF8.self)
    }

    @Test(
        "It sets one variable to JSON, whatever the packs' names are",
        arguments: ["Holiday", "\"});alert(1)//", "</script>", "\u{2028}alert(1)\u{2029}", "\\", "\n"])
    func names(name: String) throws {
        let script = script(name)
        let start = "globalThis.stickerdPacks = "
        #expect(script.hasPrefix(start) && script.hasSuffix(";\n"))
        let list = try JSONDecoder().decode(List.self, from: Data(script.dropFirst(start.count).dropLast(2).utf8))
        #expect(list.packs.map(\.name) == ["All", name])
        #expect(list.packs.map(\.folder) == ["", name])
        #expect(list.packs.map(\.stickers) == [0, 3])
        #expect(list.packs.map(\.cover) == [nil, name])
        #expect(!script.unicodeScalars.contains { "<>&\u{2028}\u{2029}".unicodeScalars.contains($0) })
    }
}
