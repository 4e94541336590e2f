import Foundation
import Glibc
import LinuxIO
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("Stickers that are deleted or removed", .timeLimit(.minutes(2)))
struct RemovalTests {
    private func command(_ place: Workplace, _ arguments: String...) async throws -> StickerdProcess {
        let process = try StickerdProcess(arguments + place.folders + place.config, in: place.folder)
        _ = try await process.end()
        return process
    }

    private func index(_ place: Workplace, _ pack: String = "") throws -> PackIndex? {
        let data = FileManager.default.contents(
            atPath: place.folder["outbox"].appending(pack).appending("pack.json").string)
        return try data.map { try JSONDecoder().decode(PackIndex.self, from: $0) }
    }

    /// The first letters of the files and the indexed stickers of a pack, which agree.
    private func stickers(_ place: Workplace, _ pack: String = "") throws -> [String]? {
        let folder = place.folder["outbox"].appending(pack)
        let listed = try index(place, pack)?.stickers ?? []
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
        try FileManager.default.createDirectory(
            atPath: place.folder["inbox"].appending(pack).string, withIntermediateDirectories: true)
        let daemon = try await place.startAndRead()
        for (name, red) in [("a", 150), ("b", 200)] {
            try place.drop(try Workplace.photo(red: UInt8(red)), as: (pack.isEmpty ? "" : pack + "/") + "\(name).png")
        }
        #expect(try await become(place, pack, ["a", "b"]))
        return daemon
    }

    @Test("A sticker, a thumbnail, an index or a folder that others take away is made again while the daemon runs")
    func deleted() async throws {
        let place = try Workplace()
        let daemon = try await start(place, "Cats")
        let outbox = place.folder["outbox/Cats"]
        let before = try #require(try index(place, "Cats")?.stickers)
        let remove = { (path: FilePath) in try FileManager.default.removeItem(atPath: path.string) }
        try remove(outbox.appending(before[0].file))
        #expect(
            try await eventually { try stickers(place, "Cats") == ["a", "b"] && daemon.errors.contains("deleted") })
        try remove(outbox.appending(try #require(before[1].thumbnail)))
        #expect(try await become(place, "Cats", ["a", "b"]))
        try remove(outbox.appending("pack.json"))
        #expect(try await become(place, "Cats", ["a", "b"]))
        // Moved, because the daemon writes to it again at once. The strings outlive the call.
        _ = try Errno.retry { unsafe rename(outbox.string, place.folder["taken"].string) }
        #expect(try await become(place, "Cats", ["a", "b"]))
        #expect(try index(place, "Cats")?.stickers.map(\.id) == before.map(\.id))
        #expect(try await daemon.stop() == 0)
    }

    @Test("A deleted sticker whose photo is gone leaves the index")
    func withoutPhoto() async throws {
        let place = try Workplace()
        let daemon = try await start(place)
        try FileManager.default.removeItem(atPath: place.folder["inbox/a.png"].string)
        let sticker = try #require(try index(place)?.stickers.first)
        try FileManager.default.removeItem(atPath: place.folder["outbox"].appending(sticker.file).string)
        #expect(try await eventually { try index(place)?.stickers.map { $0.file.prefix(1) } == ["b"] })
        #expect(try await daemon.stop() == 0)
    }

    @Test("A removed sticker stays removed through a remake, a restart, a renamed folder and a new Library")
    func removed() async throws {
        let place = try Workplace()
        let first = try await start(place, "Cats")
        let sticker = try #require(try index(place, "Cats")?.stickers.first)
        let online = try await command(place, "remove", place.folder["outbox/Cats"].appending(sticker.file).string)
        #expect(online.printed == "1 sticker will be removed\n")
        #expect(try await become(place, "Cats", ["b"]))
        #expect(!first.errors.contains("Settings reloaded"))
        #expect(try index(place, "Cats")?.removed?.map(\.file) == [sticker.file])
        for name in ["Cats/a.png", sticker.file] {
            let story = try await command(place, "explain", name)
            let row = "sticker     \(sticker.file) in the pack Cats, removed on purpose, "
            #expect(story.printed.contains(row) && story.printed.contains("; stickerd restore makes it again\n"))
        }
        _ = try await command(place, "remake", "--all")
        try place.drop(try Workplace.photo(red: 150), as: "Cats/c.png")
        #expect(try await eventually { place.count(.done) == 3 })
        #expect(try await become(place, "Cats", ["b"]))
        #expect(try await command(place, "verify").end() == 0)
        // The strings outlive the call.
        _ = try Errno.retry { unsafe rename(place.folder["inbox/Cats"].string, place.folder["inbox/Dogs"].string) }
        #expect(try await become(place, "Dogs", ["b"]))
        #expect(try await first.stop() == 0)
        try place.folder.write(Array("no Library".utf8), to: "state/library.sqlite")
        let second = try await place.start()
        #expect(try await eventually { place.count(.done) == 3 || place.count(.done) + place.count(.duplicate) == 3 })
        #expect(try await become(place, "Dogs", ["b"]))
        let back = try await command(place, "restore", "Dogs/\(sticker.file)")
        #expect(back.printed == "1 sticker will be made again\n", "\(back.errors)")
        #expect(try await eventually { try stickers(place, "Dogs")?.sorted() == ["a", "b"] })
        #expect(try index(place, "Dogs")?.removed == nil)
        #expect(try await second.stop() == 0)
    }

    @Test("Stickers are removed and restored without a daemon, too, by the next start; unknown names are refused")
    func offline() async throws {
        let place = try Workplace()
        let first = try await start(place)
        #expect(try await first.stop() == 0)
        let sticker = try #require(try index(place)?.stickers.last)
        let unknown = try await command(place, "remove", "nothing.png")
        #expect(try await unknown.end() == 1)
        #expect(unknown.errors.contains("nothing.png: unknown sticker; give its path, or its path in the outbox"))
        #expect(try await command(place, "remove", "\u{1B}[2J.png").errors.hasPrefix("\\x1b[2J.png: unknown sticker"))
        #expect(try await command(place, "restore", sticker.file).errors.contains("no removed sticker has this name"))
        let removal = try await command(place, "remove", sticker.file)
        #expect(removal.printed == "1 sticker will be removed at the next start\n")
        let second = try await place.start()
        #expect(try await become(place, "", ["a"]))
        #expect(try await second.stop() == 0)
        let back = try await command(place, "restore", sticker.file)
        #expect(back.printed == "1 sticker will be made again at the next start\n")
        let third = try await place.start()
        #expect(try await become(place, "", ["a", "b"]))
        #expect(try await third.stop() == 0)
    }
}
