import Foundation
import Gallery
import Testing

@Suite("The list of exports as a script")
struct ExportListTests {
    private struct List: Decodable, Equatable {
        struct Item: Decodable, Equatable {
            struct Download: Decodable, Equatable {
                let file: String
                let bytes: Int
            }
            let name: String
            let title: String
            let purpose: String
            let notes: [String]
            let downloads: [Download]
            let withheld: String?
        }
        let exports: [Item]
    }

    @Test(
        "It sets one variable to JSON, whatever the texts are",
        arguments: ["Cats", "\"});alert(1)//", "</script>", "\u{2028}alert(1)\u{2029}", "\\", "\n", "🐱"])
    func texts(text: String) throws {
        let list = ExportList([
            .init(
                name: "signal", title: text, purpose: text, notes: [text, text],
                downloads: [.init(file: text, bytes: 7)]),
            .init(name: "line", title: "LINE", purpose: "Test", withheld: text),
        ])
        let script = String(decoding: list.bytes, as: UTF8.self)
        let start = "globalThis.stickerdExports = "
        #expect(script.hasPrefix(start) && script.hasSuffix(";\n"))
        #expect(
            try JSONDecoder().decode(List.self, from: Data(script.dropFirst(start.count).dropLast(2).utf8))
                == List(exports: [
                    .init(
                        name: "signal", title: text, purpose: text, notes: [text, text],
                        downloads: [.init(file: text, bytes: 7)], withheld: nil),
                    .init(name: "line", title: "LINE", purpose: "Test", notes: [], downloads: [], withheld: text),
                ]))
        #expect(!script.unicodeScalars.contains { "<>&\u{2028}\u{2029}".unicodeScalars.contains($0) })
    }

    @Test("A page loads the list only if its pack has exports")
    func page() throws {
        var contents = GalleryFixture.contents(stickers: [])
        #expect(!(try GalleryFixture.page(contents, stickers: [])).contains("id=\"exports-list\""))
        contents.exports = "exports/exports.js"
        #expect(
            try GalleryFixture.page(contents, stickers: [])
                .contains("<script src=\"exports/exports.js\" id=\"exports-list\" defer></script>"))
    }
}
