import Foundation
import Glibc
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("Photos on their way out of the inbox", .timeLimit(.minutes(1)))
struct OriginalsTests {
    private func settings(_ more: String) -> String {
        #"{"workers": 1, "sticker": {"size": 96, "outline": {"width": 4}, "padding": 2}, \#(more)}"#
    }

    private func files(_ place: Workplace, _ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: place.folder[folder].string).filter { $0.contains(".") }
    }

    @Test("Each photo leaves the inbox once its sticker is there; killed in between, the next start finishes it")
    func archive() async throws {
        let place = try Workplace(
            settings: settings(#""originals": {"mode": "archive"}, "whenPhotoRemoved": "withdraw""#))
        let first = try await place.start()
        for number in 1...4 { try place.drop(try Workplace.photo(red: UInt8(150 + 20 * number)), as: "\(number).png") }
        try place.drop(Array("no photo".utf8), as: "x.jpg")
        #expect(try await eventually { place.count(.done) >= 1 })
        first.signal(SIGKILL)
        _ = try await first.end()
        let second = try await place.start()
        #expect(try await eventually { try files(place, "inbox").isEmpty })
        #expect(try await second.stop() == 0)
        #expect(place.count(.done) == 4 && place.count(.failed) == 1)
        #expect(try files(place, "archive").count == 4)
        #expect(try Set(files(place, "failed")) == ["x.jpg", "x.jpg.reason.txt"])
        // They were moved, not removed: nothing is withdrawn, now or after the next look at the inbox.
        #expect(try place.stickers().count == 4)
        let third = try await place.start()
        #expect(try await eventually { !(try PhotoLibrary.status(in: place.folder["state"])).scanning })
        #expect(try await third.stop() == 0)
        #expect(try place.index()?.stickers.count == 4)
        #expect(place.count(.done) == 4 && place.count(.failed) == 1)
    }

    @Test("A sticker goes with its photo where that is wanted, with a reload too, and the index before the file")
    func withdrawn() async throws {
        let place = try Workplace(settings: settings(#""whenPhotoRemoved": "keep""#))
        let daemon = try await place.start()
        for (index, name) in ["a.png", "b.png", "c.png"].enumerated() {
            try place.drop(try Workplace.photo(red: UInt8(150 + 30 * index)), as: name)
        }
        #expect(try await eventually { place.count(.done) == 3 })
        try FileManager.default.removeItem(atPath: place.folder["inbox/a.png"].string)
        try place.folder.write(Array(settings(#""whenPhotoRemoved": "withdraw""#).utf8), to: "config.json")
        daemon.signal(SIGHUP)
        try await daemon.said("applied=whenPhotoRemoved")
        try FileManager.default.removeItem(atPath: place.folder["inbox/b.png"].string)
        try place.drop(try Workplace.photo(red: 250), as: "c.png")
        #expect(
            try await eventually {
                try place.index()?.stickers.map { $0.file.prefix(1) } == ["a", "c"] && place.stickers().count == 2
            })
        #expect(try await daemon.stop() == 0)
    }
}
