import Foundation
import PackFacts
import PhotoCodecs
import PhotoLibrary
import PhotoRaster
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("Photos without a sticker that are deleted or removed", .timeLimit(.minutes(2)))
struct NoSubjectTests {
    /// A gray area; another `shade` is another photo.
    private func plain(_ shade: UInt8 = 128) throws -> [UInt8] {
        let pixels = [[UInt8]](repeating: [shade, shade, shade, 255], count: 160 * 120).flatMap(\.self)
        return try PNGEncoder.encode(Raster(width: 160, height: 120, pixels: pixels))
    }

    /// Whether the pack's index, its page and the status list the file.
    private func isListed(_ name: String, _ place: Workplace, _ pack: String = "") async throws -> [Bool] {
        let folder = place.folder["outbox"].appending(pack)
        let files = ["pack.json", "index.html"].map {
            (try? String(contentsOfFile: folder.appending($0).string, encoding: .utf8)) ?? ""
        }
        let status = try await place.command("status").printed
        return files.map { $0.contains(name) } + [status.contains(name) || place.count(.noSubject) > 0]
    }

    private func hasPalette(_ stem: String, _ place: Workplace) -> Bool {
        let palettes = place.folder["outbox/palettes"].string
        return (try? FileManager.default.contentsOfDirectory(atPath: palettes))?.contains { $0.hasPrefix(stem) } == true
    }

    private func vanishes(_ name: String, _ place: Workplace, _ pack: String = "") async throws {
        #expect(
            try await eventually {
                try await isListed(name, place, pack) == [false, false, false] && place.count(.failed) == 0
            }, "\(name)")
        #expect(try await eventually { try await place.isWhole() })
    }

    private func appears(_ name: String, _ place: Workplace, _ pack: String = "") async throws {
        #expect(try await eventually { try await isListed(name, place, pack)[1] }, "\(name)")
    }

    @Test(
        "They go from index, page, palettes and status when they are deleted, with their folder, and while stickerd is stopped"
    )
    func deleted() async throws {
        let place = try Workplace(settings: Workplace.settings(#", "colors": {"export": ["css"]}"#))
        try place.folder.makeFolder("inbox/Trip")
        try place.drop(try Workplace.photo(), as: "cat.png")
        try place.drop(try Workplace.photo(red: 100), as: "Trip/cat.png")
        for (name, shade) in [("blank1.png", 128), ("blank2.png", 100), ("Trip/blank3.png", 80)] {
            try place.drop(try plain(UInt8(shade)), as: name)
        }
        try place.drop(Workplace.noPhoto, as: "Trip/failed.gif")
        let first = try await place.startAndRead()
        for name in ["blank1.png", "blank2.png"] { try await appears(name, place) }
        for name in ["blank3.png", "failed.gif"] { try await appears(name, place, "Trip") }
        #expect(try await eventually { hasPalette("blank1", place) })
        try place.folder.rename("inbox/Trip", to: "inbox/Tour")
        for name in ["blank3.png", "failed.gif"] { try await appears(name, place, "Tour") }
        try place.folder.remove("inbox/blank1.png")
        try await first.said("Removed from the inbox photo=blank1.png\n")
        #expect(try await eventually { try await !isListed("blank1.png", place)[1] })
        #expect(try await eventually { !hasPalette("blank1", place) })
        #expect(try await isListed("blank2.png", place)[1])
        #expect(try await first.stop() == 0)
        try place.folder.remove("inbox/blank2.png")
        #expect(try await place.command("verify").printed.contains("blank2.png: is noSubject in the Library"))
        let second = try await place.startAndRead()
        #expect(try await eventually { try await !isListed("blank2.png", place)[1] })
        try place.folder.remove("inbox/Tour")
        try await vanishes("blank3.png", place, "Tour")
        try await vanishes("failed.gif", place, "Tour")
        // Their stickers stay, as the settings say.
        #expect(try place.index()?.stickers.count == 1)
        #expect(try place.index("Tour")?.stickers.count == 1)
        #expect(try await second.stop() == 0)
    }

    @Test(
        "The command remove takes photos: all their stickers, or the entry of one without; restore takes them, too",
        arguments: ["keep", "archive"])
    func removed(mode: String) async throws {
        let place = try Workplace(settings: Workplace.settings(#", "originals": {"mode": "\#(mode)"}"#))
        try place.folder.makeFolder("inbox/Trip")
        let daemon = try await place.startAndRead()
        try place.drop(try Workplace.photo(), as: "Trip/cat.png")
        try place.drop(try Workplace.photo(red: 100), as: "Trip/dog.png")
        try place.drop(try plain(), as: "Trip/blank.png")
        try place.drop(Workplace.noPhoto, as: "Trip/failed.gif")
        for name in ["blank.png", "failed.gif"] { try await appears(name, place, "Trip") }
        #expect(try await eventually { try place.index("Trip")?.stickers.count == 2 })
        if mode == "archive" { #expect(try await eventually { !place.folder.exists("inbox/Trip/blank.png") }) }
        let paths = ["cat.png", "blank.png"].map { place.folder["inbox/Trip/\($0)"].string } + ["Trip/failed.gif"]
        let removal = try await place.command("remove", paths[0], paths[1], paths[2])
        #expect(removal.printed == "1 sticker and 2 photos without a sticker will be removed\n", "\(removal.errors)")
        #expect(try await eventually { try place.index("Trip")?.stickers.map { $0.file.prefix(3) } == ["dog"] })
        for name in ["blank.png", "failed.gif", "cat.png"] { try await vanishes(name, place, "Trip") }
        #expect(place.folder.exists("inbox/Trip/blank.png") == (mode == "keep"))
        let story = try await place.command("explain", "Trip/blank.png")
        #expect(story.printed.contains("  removed     "), "\(story.printed)")
        #expect(try await place.command("remove", "Trip/blank.png").end() == 1)
        #expect(try await daemon.stop() == 0)

        // Neither a new Library nor other patterns bring them back.
        try place.folder.write(Array("no Library".utf8), to: "state/library/library.sqlite")
        let second = try await place.startAndRead()
        for name in ["blank.png", "failed.gif"] { try await vanishes(name, place, "Trip") }
        // Now all are recorded, and may wait.
        #expect(try await eventually { place.count(.pending) + place.count(.processing) == 0 })
        if mode == "keep" {
            let back = try await place.command("restore", paths[0], paths[1])
            #expect(back.printed == "2 photos will be processed again\n", "\(back.errors)")
            try await appears("blank.png", place, "Trip")
            #expect(try await eventually { try place.index("Trip")?.stickers.count == 2 })
        }
        #expect(try await second.stop() == 0)
    }
}
