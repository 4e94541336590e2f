import Foundation
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("Files that are removed, replaced, ignored or renamed", .timeLimit(.minutes(1)))
struct FileNewsTests {
    @Test("Each has one line in the log; many removals have a number", arguments: ["keep", "withdraw"])
    func lines(rule: String) async throws {
        let place = Workplace(settings: Workplace.settings(#", "whenPhotoRemoved": "\#(rule)""#))
        try place.drop(try Workplace.photo(), as: "a.png")
        try place.drop(try Workplace.photo(red: 150), as: "b.png")
        let daemon = try await place.start()
        #expect(try await eventually { place.count(.done) == 2 })
        try place.folder.link("inbox/link.png", to: "a.png")
        try await daemon.said("Ignored photo=link.png reason=\"this is a symbolic link, not a regular file\"\n")
        try place.folder.remove("inbox/a.png")
        let end = rule == "keep" ? "stays" : "is withdrawn"
        try await daemon.said("Removed from the inbox; its sticker \(end) photo=a.png\n")
        try place.drop(try Workplace.photo(red: 100), as: "b.png")
        try await daemon.said("Changed in the inbox; reading it again photo=b.png\n")
        // An ignored file is not worth another line.
        try place.folder.remove("inbox/link.png")

        try place.folder.makeFolder("inbox/many")
        for number in 1...60 {
            try place.drop(Array("GIF89a \(number)".utf8), as: "many/\(number).gif")
        }
        #expect(try await eventually { place.count(.failed) == 60 })
        // At once: how many files that are removed one by one have a line depends on the processor's speed.
        try place.folder.rename("inbox/many", to: "many")
        #expect(try await eventually { place.count(.failed) == 0 })
        try await daemon.said(" more files were removed, changed or ignored\n")
        #expect(try await daemon.stop() == 0)
        #expect(!daemon.errors.contains("Removed from the inbox photo=link.png"))
        #expect(!daemon.errors.contains("Removed from the inbox; its sticker \(end) photo=b.png"))
    }

    @Test("A photo that is archived under another name has one line")
    func archived() async throws {
        let place = Workplace(
            settings: Workplace.settings(#", "originals": {"mode": "archive"}, "whenPhotoRemoved": "withdraw""#))
        let daemon = try await place.start()
        for _ in 0..<2 {
            try place.drop(try Workplace.photo(), as: "a.png")
            #expect(try await eventually { !place.folder.exists("inbox/a.png") })
        }
        try await daemon.said("Moved under another name, because its own is taken photo=a.png target=")
        #expect(daemon.errors.contains("/a-2.png\n"))
        // When this file has failed, the events of the moves have been processed.
        try place.drop(Workplace.noPhoto, as: "b.gif")
        #expect(try await eventually { place.count(.failed) == 1 })
        #expect(try await daemon.stop() == 0)
        #expect(!daemon.errors.contains("Removed from the inbox"))
        #expect(!daemon.errors.contains("Changed in the inbox"))
    }
}
