import Foundation
import Glibc
import PackFacts
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("Stickers that are deleted or removed", .timeLimit(.minutes(2)))
struct RemovalTests {
    /// The first letters of the files and the indexed stickers of a pack, which agree.
    private func stickers(_ place: Workplace, _ pack: String = "") throws -> [String]? {
        let folder = place.folder["outbox"].appending(pack)
        let listed = try place.index(pack)?.stickers ?? []
        let names = { (name: String) in
            Set((try? FileManager.default.contentsOfDirectory(atPath: folder.appending(name).string)) ?? [])
        }
        guard Set(listed.map(\.file)) == names("").filter({ $0.hasSuffix(".png") }),
            Set(listed.compactMap { $0.thumbnail?.dropFirst("thumbnails/".count) }.map(String.init))
                == names("thumbnails")
        else { return nil }
        return listed.map { String($0.file.prefix(1)) }
    }

    private func become(_ place: Workplace, _ pack: String, _ wanted: [String]) async throws -> Bool {
        try await eventually { try stickers(place, pack) == wanted }
    }

    /// A daemon with the photos a and b in a pack.
    private func start(_ place: Workplace, _ pack: String = "") async throws -> StickerdProcess {
        try place.folder.makeFolder("inbox/\(pack)")
        let daemon = try await place.startAndRead()
        for (name, red) in [("a", 150), ("b", 200)] {
            try place.drop(try Workplace.photo(red: UInt8(red)), as: (pack.isEmpty ? "" : pack + "/") + "\(name).png")
        }
        #expect(try await become(place, pack, ["a", "b"]))
        return daemon
    }

    @Test("What others take away from the outbox, or a sticker that they change, is made again while the daemon runs")
    func deleted() async throws {
        let place = Workplace()
        let daemon = try await start(place, "Cats")
        let before = try #require(try place.index("Cats")?.stickers)
        let bytes = try place.contents(of: "outbox/Cats")[before[1].file]
        #expect(try await eventually { try daemon.watches(place.folder["outbox/Cats/thumbnails"]) })
        try place.folder.remove("outbox/Cats/\(before[0].file)")
        #expect(
            try await eventually { try stickers(place, "Cats") == ["a", "b"] && daemon.errors.contains("deleted") })
        try place.folder.remove("outbox/Cats/\(try #require(before[1].thumbnail))")
        #expect(try await become(place, "Cats", ["a", "b"]))
        let code = try #require(try place.contents(of: "outbox/Cats/pack").keys.first { $0.hasPrefix("gallery-") })
        for name in ["pack.json", "index.html", "pack/\(code)", "pack"] {
            #expect(try await eventually { try daemon.watches(place.folder["outbox/Cats/pack"]) })
            // Moved, because the daemon may write to a folder that is being emptied.
            try place.folder.rename("outbox/Cats/\(name)", to: "taken-\(UUID().uuidString)")
            #expect(try await become(place, "Cats", ["a", "b"]))
            #expect(try await eventually { place.folder.exists("outbox/Cats/\(name)") }, "\(name)")
        }
        let file = try FileHandle(forUpdating: URL(filePath: place.folder["outbox/Cats/\(before[1].file)"].string))
        try file.write(contentsOf: Data("changed".utf8))
        try file.close()
        try await daemon.said("Stickers were changed in the outbox and will be remade")
        #expect(try await eventually { try place.contents(of: "outbox/Cats")[before[1].file] == bytes })
        #expect(try await become(place, "Cats", ["a", "b"]))
        try place.folder.rename("outbox/Cats", to: "taken")
        #expect(try await become(place, "Cats", ["a", "b"]))
        #expect(try place.index("Cats")?.stickers.map(\.id) == before.map(\.id))
        #expect(try await daemon.stop() == 0)
    }

    @Test("A removed sticker stays removed through a remake, a restart, a renamed folder and a new Library")
    func removed() async throws {
        let place = Workplace()
        let first = try await start(place, "Cats")
        let sticker = try #require(try place.index("Cats")?.stickers.first)
        let online = try await place.command("remove", place.folder["outbox/Cats"].appending(sticker.file).string)
        #expect(online.printed == "1 sticker will be removed\n")
        #expect(try await become(place, "Cats", ["b"]))
        #expect(try place.index("Cats")?.removed.map(\.file) == [sticker.file])
        for name in ["Cats/a.png", sticker.file] {
            let story = try await place.command("explain", name)
            let row = "removed     \(sticker.file) in the pack Cats, "
            #expect(story.printed.contains(row) && story.printed.contains("; stickerd restore undoes it\n"))
        }
        try await place.command("remake", "--all")
        try place.drop(try Workplace.photo(red: 150), as: "Cats/c.png")
        #expect(try await eventually { place.count(.done) + place.count(.duplicate) == 3 })
        #expect(try await eventually { try await place.isWhole() })
        #expect(try stickers(place, "Cats") == ["b"])
        try place.folder.rename("inbox/Cats", to: "inbox/Dogs")
        #expect(try await become(place, "Dogs", ["b"]))
        #expect(try await first.stop() == 0)
        #expect(!first.errors.contains("Settings reloaded"))
        try place.folder.write("no Library", to: "state/library/library.sqlite")
        let second = try await place.start()
        // The index that lists the next photo follows those of the known ones.
        #expect(try await eventually { place.count(.done) + place.count(.duplicate) == 3 })
        try place.drop(try Workplace.photo(red: 100), as: "Dogs/d.png")
        #expect(try await become(place, "Dogs", ["b", "d"]))
        let back = try await place.command("restore", "Dogs/\(sticker.file)")
        #expect(back.printed == "1 photo will be processed again\n", "\(back.errors)")
        #expect(try await eventually { try stickers(place, "Dogs")?.sorted() == ["a", "b", "d"] })
        #expect(try place.index("Dogs")?.removed.isEmpty == true)
        #expect(try await second.stop() == 0)
    }
}
