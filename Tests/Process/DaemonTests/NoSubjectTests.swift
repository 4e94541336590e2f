import Foundation
import PackFacts
import PhotoCodecs
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("Photos without a sticker that are removed", .timeLimit(.minutes(2)))
struct NoSubjectTests {
    /// Whether the index of the pack Trip, its page and the status list the file.
    private func isListed(_ name: String, _ place: Workplace) async throws -> [Bool] {
        let files = ["pack.json", "index.html"].map {
            (try? String(contentsOfFile: place.folder["outbox/Trip/\($0)"].string, encoding: .utf8)) ?? ""
        }
        let status = try await place.command("status").printed
        return files.map { $0.contains(name) } + [status.contains(name) || place.count(.noSubject) > 0]
    }

    private func vanishes(_ name: String, _ place: Workplace) async throws {
        #expect(
            try await eventually {
                try await isListed(name, place) == [false, false, false] && place.count(.failed) == 0
            }, "\(name)")
        #expect(try await eventually { try await place.isWhole() })
    }

    private func appears(_ name: String, _ place: Workplace) async throws {
        #expect(try await eventually { try await isListed(name, place)[1] }, "\(name)")
    }

    @Test(
        "The command remove takes photos: all their stickers, or the entry of one without; restore takes them, too",
        arguments: ["keep", "archive"])
    func removed(mode: String) async throws {
        let place = Workplace(settings: Workplace.settings(#", "originals": {"mode": "\#(mode)"}"#))
        try place.folder.makeFolder("inbox/Trip")
        let daemon = try await place.startAndRead()
        try place.drop(try Workplace.photo(), as: "Trip/cat.png")
        try place.drop(try Workplace.photo(red: 100), as: "Trip/dog.png")
        let blank = DrawnPicture.flat(width: 160, height: 120, 128, 128, 128)
        try place.drop(try PNGEncoder.encode(blank), as: "Trip/blank.png")
        try place.drop(Workplace.noPhoto, as: "Trip/failed.gif")
        for name in ["blank.png", "failed.gif"] { try await appears(name, place) }
        #expect(try await eventually { try place.index("Trip")?.stickers.count == 2 })
        if mode == "archive" { #expect(try await eventually { !place.folder.exists("inbox/Trip/blank.png") }) }
        let paths = ["cat.png", "blank.png"].map { place.folder["inbox/Trip/\($0)"].string } + ["Trip/failed.gif"]
        let removal = try await place.command("remove", paths[0], paths[1], paths[2])
        #expect(removal.printed == "1 sticker and 2 photos without a sticker will be removed\n", "\(removal.errors)")
        #expect(try await eventually { try place.index("Trip")?.stickers.map { $0.file.prefix(3) } == ["dog"] })
        for name in ["blank.png", "failed.gif", "cat.png"] { try await vanishes(name, place) }
        #expect(place.folder.exists("inbox/Trip/blank.png") == (mode == "keep"))
        let story = try await place.command("explain", "Trip/blank.png")
        #expect(story.printed.contains("  removed     "), "\(story.printed)")
        #expect(try await place.command("remove", "Trip/blank.png").end() == 1)
        #expect(try await daemon.stop() == 0)

        // Neither a new Library nor other patterns bring them back.
        try place.folder.write("no Library", to: "state/library/library.sqlite")
        let second = try await place.startAndRead()
        for name in ["blank.png", "failed.gif"] { try await vanishes(name, place) }
        // Now all are recorded, and may wait.
        #expect(try await eventually { place.count(.pending) + place.count(.processing) == 0 })
        if mode == "keep" {
            let back = try await place.command("restore", paths[0], paths[1])
            #expect(back.printed == "2 photos will be processed again\n", "\(back.errors)")
            try await appears("blank.png", place)
            #expect(try await eventually { try place.index("Trip")?.stickers.count == 2 })
        }
        #expect(try await second.stop() == 0)
    }
}
