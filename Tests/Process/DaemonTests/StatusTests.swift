import Foundation
import Glibc
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("The daemon in the output of stickerd status", .timeLimit(.minutes(1)))
struct StatusTests {
    private struct Report: Decodable {
        struct Daemon: Decodable {
            struct Waiting: Decodable {
                let message: String
                let reason: String
            }
            let running: Bool
            let pid: Int32?
            let since: Date?
            let waiting: [Waiting]?
        }
        let daemon: Daemon
    }

    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    private func daemon() async throws -> Report.Daemon {
        let status = try await place.run("status", "--json", "--state", place.folder["state"].string)
        #expect(try await status.end() == 0)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Report.self, from: Data(status.printed.utf8)).daemon
    }

    @Test("An unavailable outbox is listed in the words of the log while the daemon waits for it, and not afterwards")
    func outboxAway() async throws {
        let start = Date()
        let process = try await place.start()
        #expect(try await eventually { try await daemon().waiting?.isEmpty == true })
        let idle = try await daemon()
        #expect(idle.running && idle.pid == process.id)
        // Whole seconds.
        #expect(try #require(idle.since) >= start - 1 && #require(idle.since) <= Date())

        try place.folder.rename("outbox", to: "elsewhere")
        try place.drop(try Workplace.photo(), as: "a.png")
        #expect(try await eventually { try await daemon().waiting?.isEmpty == false })
        let waiting = try #require(try await daemon().waiting?.first)
        #expect(waiting.message == "Outbox unavailable; paused until it returns")
        #expect(
            waiting.reason.contains(place.folder["outbox"].string) && waiting.reason.contains("the outbox is missing"))
        try await process.said(waiting.message)
        #expect(process.errors.contains(waiting.reason))

        try place.folder.rename("elsewhere", to: "outbox")
        #expect(try await eventually { place.count(.done) == 1 })
        #expect(try await eventually { try await daemon().waiting?.isEmpty == true })
        #expect(try await daemon().since == idle.since)
        #expect(try await process.stop() == 0)
        #expect(try await !daemon().running)
    }

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
        let remake = try await place.command("remake")
        #expect(try await remake.end() == 0)
        #expect(remake.printed == "Remaking the stickers of 2 photos\n")
        #expect(
            try await eventually {
                try await !place.run("status", "--state", state).printed.contains("other settings")
            })
        #expect(try await second.stop() == 0)
    }
}
