import Foundation
import PackFacts
import PhotoRule
import Testing
import TestSupport

@Suite("Files that are no pictures", .timeLimit(.minutes(1)))
struct NoPictureTests {
    private let place = Workplace(
        settings: Workplace.settings(#", "originals": {"mode": "delete"}, "whenPhotoRemoved": "withdraw""#))

    @Test("They are ignored with one line: not failed, retried, moved or listed; explain shows why")
    func ignored() async throws {
        let files: [(String, [UInt8])] = [
            ("notes.txt", Array("Dear diary".utf8)), ("letter.jpg", Array("%PDF-1.7\n".utf8)),
            ("film.mp4", [0, 0, 0, 0x14] + Array("ftypisom\0\0\0\0mp41".utf8)),
        ]
        for (name, bytes) in files { try place.drop(bytes, as: name) }
        try place.drop(try Workplace.photo(), as: "a.png")
        try place.drop(Array("\u{FF}".utf8) + [0x89, 0x50], as: "b.bin")
        let daemon = try await place.start()
        #expect(try await eventually { place.count(.done) == 1 && place.count(.ignored) == 4 })
        #expect(place.count(.failed) == 0)
        #expect(try await daemon.stop() == 0)
        let lines = daemon.errors.split(separator: "\n").filter { $0.contains("not a picture") }
        #expect(lines.count == 4 && lines.allSatisfy { $0.contains("Ignored") }, "\(lines)")
        #expect(try place.contents(of: "failed").isEmpty)
        for (name, _) in files { #expect(place.folder.exists("inbox/\(name)")) }
        #expect(try place.index()?.failed.isEmpty == true)

        let explain = try await place.command("explain", "film.mp4", exits: 0)
        #expect(explain.printed.contains("ignored: not a picture"))
        let retry = try await place.command("retry", "--failed", exits: 0)
        #expect(retry.printed.hasPrefix("0 photos"))

        let again = try await place.startAndRead()
        #expect(try await again.stop() == 0)
        #expect(!again.errors.contains("not a picture"))
    }

    @Test("A picture takes the place of a file that was none, and loses its sticker if that takes its place")
    func replaced() async throws {
        try place.configure(Workplace.settings(#", "whenPhotoRemoved": "withdraw""#))
        try place.drop(Array("Dear diary".utf8), as: "a.png")
        let daemon = try await place.start()
        #expect(try await eventually { place.count(.ignored) == 1 })
        try place.drop(try Workplace.photo(), as: "a.png")
        #expect(try await eventually { place.count(.done) == 1 && place.count(.ignored) == 0 })
        try place.drop(Array("Dear diary".utf8), as: "a.png")
        #expect(try await eventually { place.count(.ignored) == 1 })
        #expect(try await eventually { try place.stickers().isEmpty })
        #expect(try await daemon.stop() == 0)
    }
}
