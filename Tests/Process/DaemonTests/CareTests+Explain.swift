import PackFacts
import SystemPackage
import Testing
import TestSupport

extension CareTests {
    @Test("explain prints a photo's format, attempts, stickers and duplicates")
    func explain() async throws {
        let place = try await filledPlace()
        let made = try await place.command("explain", "a.png", exits: 0)
        let sticker = try #require(try place.index()?.stickers.first)
        #expect(made.printed.hasPrefix("a.png\n"))
        for part in [
            "state", "done", "seen", sticker.id, "png, 160 × 120 pixels", "s: done", sticker.file,
            "copy.png (duplicate)",
        ] { #expect(made.printed.contains(part), "\(part)") }
        let copy = try await place.command("explain", place.folder["inbox/copy.png"].string)
        #expect(copy.printed.contains("made from   a.png"))
        #expect(copy.printed.contains("duplicate of a.png"))
        #expect(try await place.command("explain", "text.jpg").printed.contains("failed: "))
        let unknown = try await place.command("explain", "nothing.png", exits: 1)
        #expect(unknown.errors.contains("unknown; give the path of a photo"))
    }

    @Test("explain prints where the original was moved")
    func explainArchived() async throws {
        let place = try await filledPlace(#", "originals": {"mode": "archive"}"#)
        let made = try await place.command("explain", "a.png")
        let target = try #require(made.printed.firstMatch(of: /moved to ([^,]+),/)).output.1
        #expect(target.hasPrefix(place.folder["archive"].string))
        #expect(try await place.command("explain", String(target)).printed == made.printed)
        #expect(try await place.command("verify").end() == 0)
    }
}
