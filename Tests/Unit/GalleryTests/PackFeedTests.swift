import Foundation
import Gallery
import PackFacts
import Testing

@Suite("The feed of a pack")
struct PackFeedTests {
    private let base = "https://example.org/s/Gr%C3%BC%C3%9Fe/"

    private func feed(_ stickers: [PackEntry], publisher: String = "me") throws -> [String: Any] {
        let description = Pack.Description(name: "Grüße", identifier: "stickers.Grüße", publisher: publisher)
        let bytes = PackFeed.bytes(description, stickers: stickers, baseURL: base)
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private func sticker(_ number: Int, _ name: String = "cat") -> PackEntry {
        .init(
            id: "sha256:\(number)#2", name: name, file: "\(name)-\(number).webp", width: 512, height: 400, bytes: 1234,
            added: Date(timeIntervalSince1970: Double(number)))
    }

    @Test("A time that is read from an index is written as it was, to the millisecond")
    func times() throws {
        for millisecond in 0..<1000 {
            let time = "2026-11-29T13:01:02.\(String(1000 + millisecond).dropFirst())Z"
            let text =
                #"{"id":"a","name":"a","file":"a","width":1,"height":1,"bytes":1,"addedAt":"\#(time)","confidence":1}"#
            let sticker = try JSONDecoder().decode(PackEntry.self, from: Data(text.utf8))
            #expect(try items(feed([sticker]))[0]["date_published"] as? String == time)
        }
    }

    private func items(_ feed: [String: Any]) throws -> [[String: Any]] {
        try #require(feed["items"] as? [[String: Any]])
    }

    /// What https://www.jsonfeed.org/version/1.1/ demands of the members that there are, and no others.
    private func check(_ feed: [String: Any]) throws {
        #expect(feed["version"] as? String == "https://jsonfeed.org/version/1.1" && feed["title"] is String)
        #expect(Set(feed.keys).subtracting(["authors"]) == ["version", "title", "home_page_url", "feed_url", "items"])
        #expect(feed["home_page_url"] as? String == base && feed["feed_url"] as? String == base + "feed.json")
        #expect((feed["authors"] as? [[String: String]])?.allSatisfy { !$0.values.contains("") } ?? true)
        let items = try items(feed)
        #expect(Set(items.compactMap { $0["id"] as? String }).count == items.count, "unique, and strings")
        for item in items {
            #expect(
                Set(item.keys) == ["id", "url", "title", "content_html", "image", "date_published", "attachments"])
            #expect(item["title"] is String && item["content_html"] is String)
            let date = try #require(item["date_published"] as? String)
            #expect(date.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "RFC 3339")
            let attachments = try #require(item["attachments"] as? [[String: Any]])
            for attachment in attachments {
                #expect(Set(attachment.keys) == ["url", "mime_type", "size_in_bytes"])
                #expect(attachment["mime_type"] is String && attachment["size_in_bytes"] is Int)
            }
            for address in [item["url"], item["image"]] + attachments.map({ $0["url"] }) {
                let text = try #require(address as? String)
                #expect(text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "percent-encoded: \(text)")
                #expect(URL(string: text)?.host() == "example.org")
            }
        }
    }

    @Test("It is a JSON Feed 1.1 of the newest 50 stickers, the newest first")
    func newest() throws {
        let feed = try feed((1...60).map { sticker($0) })
        try check(feed)
        let items = try items(feed)
        #expect(items.compactMap { $0["id"] as? String } == (11...60).reversed().map { "sha256:\($0)#2" })
        #expect(items[0]["url"] as? String == base + "#/carousel/sha256%3A60%232")
        #expect(items[0]["image"] as? String == base + "cat-60.webp")
        #expect(items[0]["date_published"] as? String == "1970-01-01T00:01:00.000Z")
        let attachment = try #require((items[0]["attachments"] as? [[String: Any]])?.first)
        #expect(attachment["mime_type"] as? String == "image/webp" && attachment["size_in_bytes"] as? Int == 1234)
    }

    @Test(
        "Names are text in JSON, in HTML and in addresses", arguments: [#"<a href="x">&'"#, "a b/..?#%\\", "Ünï\u{85}"])
    func names(name: String) throws {
        let feed = try feed([sticker(1, name)], publisher: name)
        try check(feed)
        let item = try #require(try items(feed).first)
        #expect(item["title"] as? String == name)
        let html = try #require(item["content_html"] as? String)
        #expect(html.count { $0 == "<" } == 1 && html.count { $0 == "\"" } == 8)
        let image = try #require(item["image"] as? String)
        #expect(image.dropFirst(base.count).description.removingPercentEncoding == "\(name)-1.webp")
    }

    @Test("An empty pack has a feed without items, and without a publisher no authors")
    func empty() throws {
        let feed = try feed([], publisher: "")
        try check(feed)
        #expect(try items(feed).isEmpty && feed["authors"] == nil)
    }
}
