import Foundation
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@Suite("The list of packs", .timeLimit(.minutes(1)))
struct NavigationTests {
    private static let settings = """
        {"workers": 1, "sticker": {"size": 96, "outline": {"width": 4}, "padding": 2}, "whenPhotoRemoved": "withdraw"}
        """

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
        let place = try Workplace(settings: Self.settings)
        for name in ["A", "B"] {
            try FileManager.default.createDirectory(
                atPath: place.folder["inbox/\(name)"].string, withIntermediateDirectories: true)
        }
        let daemon = try await place.start()
        #expect(try await eventually { try counts(place) == ["": 0] })
        try place.drop(try Workplace.photo(red: 150), as: "A/a.png")
        #expect(try await eventually { try counts(place) == ["": 0, "A": 1] })
        let zip = place.folder["outbox/A/stickers.zip"].string
        #expect(try await eventually { FileManager.default.fileExists(atPath: zip) })
        try await Task.sleep(for: .milliseconds(300))
        let before = try [inode(place, ""), inode(place, "A")]
        try place.drop(try Workplace.photo(red: 200), as: "B/b.png")
        #expect(try await eventually { try counts(place) == ["": 0, "A": 1, "B": 1] })
        let cover = try #require(try packs(place).last?.cover)
        #expect(FileManager.default.fileExists(atPath: place.folder["outbox"].appending(cover).string))
        #expect(try [inode(place, ""), inode(place, "A")] == before)
        try FileManager.default.removeItem(atPath: place.folder["inbox/B"].string)
        #expect(try await eventually { try counts(place) == ["": 0, "A": 1] })
        // No page links to the emptied pack any more.
        let page = place.folder["outbox/B/index.html"].string
        #expect(try await eventually { !FileManager.default.fileExists(atPath: page) })
        #expect(FileManager.default.fileExists(atPath: place.folder["outbox/B/pack.json"].string))
        #expect(try await place.run("verify", "--state", "state").end() == 0)
        try FileManager.default.createDirectory(
            atPath: place.folder["inbox/B"].string, withIntermediateDirectories: true)
        try place.drop(try Workplace.photo(red: 200), as: "B/b.png")
        #expect(try await eventually { FileManager.default.fileExists(atPath: page) })
        try FileManager.default.removeItem(atPath: place.folder["inbox/B"].string)
        #expect(try await eventually { try counts(place) == ["": 0, "A": 1] })
        #expect(try await daemon.stop() == 0)
        // A deleted list is written again by the next start.
        try FileManager.default.removeItem(atPath: place.folder["outbox/packs.js"].string)
        let second = try await place.start()
        #expect(try await eventually { try counts(place) == ["": 0, "A": 1] })
        #expect(try await second.stop() == 0)
    }
}
