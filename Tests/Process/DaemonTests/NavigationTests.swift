import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("The list of packs", .timeLimit(.minutes(1)))
struct NavigationTests {
    private struct Pack: Decodable, Equatable {
        let folder: String
        let stickers: Int
        let cover: String?
    }

    private struct List: Decodable {
        let packs: [Pack]
    }

    private func packs(_ place: Workplace) throws -> [Pack] {
        guard let data = FileManager.default.contents(atPath: place.folder["outbox/packs.js"].string) else { return [] }
        let text = String(decoding: data, as: UTF8.self)
        let start = try #require(text.firstIndex(of: "{"))
        let end = try #require(text.lastIndex(of: "}"))
        return try JSONDecoder().decode(List.self, from: Data(text[start...end].utf8)).packs
    }

    private func counts(_ place: Workplace) throws -> [String: Int] {
        Dictionary(try packs(place).map { ($0.folder, $0.stickers) }) { first, _ in first }
    }

    private func inode(_ place: Workplace, _ page: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: place.folder["outbox/\(page)/index.html"].string)[
            .systemFileNumber]
            as? Int
    }

    @Test("follows the packs at once; a change of one pack rewrites no other pack's page")
    func follows() async throws {
        let place = Workplace(settings: Workplace.settings(#", "whenPhotoRemoved": "withdraw""#))
        for name in ["A", "B"] {
            try place.folder.makeFolder("inbox/\(name)")
        }
        let daemon = try await place.start()
        #expect(try await eventually { try counts(place) == ["": 0] })
        try place.drop(try Workplace.photo(red: 150), as: "A/a.png")
        #expect(try await eventually { try counts(place) == ["": 0, "A": 1] })
        // The ZIP follows the last change of the index, and the page follows the ZIP.
        #expect(try await eventually { place.folder.exists("outbox/A/stickers.zip") })
        #expect(try await eventually { try await place.isWhole() })
        let before = try [inode(place, ""), inode(place, "A")]
        try place.drop(try Workplace.photo(red: 200), as: "B/b.png")
        #expect(try await eventually { try counts(place) == ["": 0, "A": 1, "B": 1] })
        let cover = try #require(try packs(place).last?.cover)
        #expect(FileManager.default.fileExists(atPath: place.folder["outbox"].appending(cover).string))
        #expect(try [inode(place, ""), inode(place, "A")] == before)
        try place.folder.remove("inbox/B")
        #expect(try await eventually { try counts(place) == ["": 0, "A": 1] })
        // No page links to the emptied pack any more.
        #expect(try await eventually { !place.folder.exists("outbox/B/index.html") })
        #expect(place.folder.exists("outbox/B/pack.json"))
        #expect(try await eventually { try await place.run("verify", "--state", "state").end() == 0 })
        try place.folder.makeFolder("inbox/B")
        try place.drop(try Workplace.photo(red: 200), as: "B/b.png")
        #expect(try await eventually { try counts(place)["B"] == 1 && place.folder.exists("outbox/B/index.html") })
        try place.folder.remove("inbox/B")
        #expect(try await eventually { try counts(place) == ["": 0, "A": 1] })
        #expect(try await daemon.stop() == 0)
        // A deleted list is written again by the next start.
        try place.folder.remove("outbox/packs.js")
        let second = try await place.start()
        #expect(try await eventually { try counts(place) == ["": 0, "A": 1] })
        #expect(try await second.stop() == 0)
    }
}
