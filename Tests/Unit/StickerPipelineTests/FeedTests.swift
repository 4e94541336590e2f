import Foundation
import PackLedger
import TestSupport
import Testing

@testable import Packs

@Suite("The feed beside a pack's page", .timeLimit(.minutes(1)))
struct FeedTests {
    private let packs = PackFixture()
    private var fixture: PipelineFixture { packs.fixture }
    private let gallery = PackSettings.Gallery(baseURL: "https://example.org/s", maxArchiveBytes: 0)

    private struct Feed: Decodable {
        struct Item: Decodable, Equatable {
            let title: String
            let image: String
            let date_published: String
        }
        let feed_url: String
        let items: [Item]
    }

    private func feed(_ pack: String = "") throws -> Feed {
        let name = pack.isEmpty ? "outbox/feed.json" : "outbox/\(pack)/feed.json"
        return try JSONDecoder().decode(Feed.self, from: Data(try #require(fixture.folder.bytes(of: name))))
    }

    @Test(
        "It has the newest stickers, also of a divided pack, and stays as it is while these do", arguments: [1000, 8])
    func newest(maxUndivided: Int) async throws {
        let sizes = PageSizes(maxUndivided: maxUndivided, maxStickers: 5)
        try await packs.make(1...52)
        try await packs.writing(gallery: gallery, pageSizes: sizes)
        #expect(try feed().items.map(\.title) == (3...52).reversed().map(String.init))
        #expect(packs.page.contains(#"<link rel="alternate" type="application/feed+json" href="feed.json">"#))
        let (former, files) = (try feed(), try packs.files())
        try await fixture.arrive("waiting.png")
        try await packs.writing(gallery: gallery, pageSizes: sizes)
        #expect(try packs.files()["index.html"] != files["index.html"])
        #expect(try packs.files()["feed.json"] == files["feed.json"])
        try await packs.finishAll(["waiting.png"])
        try await packs.writing(gallery: gallery, pageSizes: sizes)
        #expect(try feed().items.map(\.title).first == "waiting")
        #expect(try feed().items.dropFirst() == former.items.dropLast())
    }

    @Test("Each pack has its own, at the address of its folder; without a base URL it is withdrawn")
    func withdrawn() async throws {
        try await packs.make(["Größe/a.png"])
        try await packs.writing(gallery: gallery)
        #expect(try feed().items.isEmpty && feed().feed_url == "https://example.org/s/feed.json")
        let own = try feed("Größe")
        #expect(own.feed_url == "https://example.org/s/Gr%C3%B6%C3%9Fe/feed.json")
        #expect(own.items.first?.image.hasPrefix("https://example.org/s/Gr%C3%B6%C3%9Fe/a-") ?? false)
        try await packs.writing(gallery: .init(maxArchiveBytes: 0))
        #expect(!packs.names().contains("feed.json") && !packs.names("Größe").contains("feed.json"))
        #expect(packs.names("Größe").contains("index.html") && !packs.page.contains("feed"))
    }
}
