import Foundation
import Glibc
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("The daemon in the output of stickerd status", .timeLimit(.minutes(1)))
struct StatusTests {
    private let place = Workplace()

    @Test("status shows folders, packs, failures with reasons, and stickers made with other settings")
    func report() async throws {
        try place.folder.makeFolder("inbox/Cats")
        try place.drop(try Workplace.photo(), as: "a.png")
        try place.drop(try Workplace.photo(red: 150), as: "Cats/b.png")
        try place.drop(Workplace.noPhoto, as: "Cats/c\u{1B}.gif")
        let process = try await place.start()
        #expect(try await eventually { place.count(.done) == 2 && place.count(.failed) == 1 })
        let state = place.folder["state"].string
        let running = try await place.run("status", "--state", state).printed
        for line in [
            "inbox       \(place.folder["inbox"])", "outbox      \(place.folder["outbox"])",
            "settings    \(place.folder["config.json"])", "stickers    2", "done        2", "failed      1",
            "packs       (root): 1 sticker", "            Cats: 1 sticker, 1 failed",
            "failures    Cats/c\\x1b.gif: GIF is not supported; save as JPEG or PNG",
        ] {
            #expect(running.split(separator: "\n").contains { $0 == line }, "\(line)\n\(running)")
        }
        #expect(running.hasPrefix("daemon      running since ") && !running.contains("pending"))
        #expect(!running.contains("other settings"))
        #expect(try await process.stop() == 0)

        try place.configure(#"{"workers": 1, "sticker": {"size": 128}}"#)
        let second = try await place.start()
        let outdated = "2 stickers were made with other settings or weights; to remake: stickerd remake"
        try await second.said(outdated)
        #expect(try await place.run("status", "--state", state).printed.contains(outdated))
        // A command's signal: the log has said it already.
        try await place.command("retry", "--failed")
        let remake = try await place.command("remake", exits: 0)
        #expect(remake.printed == "Remaking the stickers of 2 photos\n")
        #expect(
            try await eventually {
                try await !place.run("status", "--state", state).printed.contains("other settings")
            })
        #expect(try await second.stop() == 0)
        #expect(second.errors.matches(of: /to remake: stickerd remake/).count == 1)
        try place.folder.remove("inbox")
        try place.folder.write([1], to: "inbox")
        try await place.run("status", "--state", state, exits: 0)
        #expect(try await place.run("doctor", "--state", state, exits: 1).printed.contains("is not a folder"))
    }
}
