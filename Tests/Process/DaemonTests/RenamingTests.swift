import Foundation
import PackFacts
import PhotoRule
import TestSupport
import Testing

@Suite("Renaming a photo", .timeLimit(.minutes(2)))
struct RenamingTests {
    private static let anonymous = Workplace.settings(sticker: #", "keepStem": false"#)

    private func rename(_ place: Workplace, _ former: String, to name: String) throws {
        try place.folder.rename("inbox/\(former)", to: "inbox/\(name)")
    }

    private func words(_ place: Workplace) throws -> [[String]] {
        try place.index()?.stickers.map { [$0.name, $0.text] + $0.emoji } ?? []
    }

    private func expect(_ place: Workplace, _ expected: [String]) async throws {
        let isRight = try await eventually { try words(place).contains { $0 == expected } }
        let found = try words(place)
        #expect(isRight, "\(found)")
    }

    @Test(
        "publishes no name while keepStem is off, or after it was switched off, neither at once nor after a restart",
        arguments: [true, false])
    func hidden(isSwitchedOff: Bool) async throws {
        let place = Workplace(settings: isSwitchedOff ? Workplace.settings() : Self.anonymous)
        let first = try await place.startAndRead()
        try place.drop(try Workplace.photo(), as: "cat 🐱.png")
        let before =
            isSwitchedOff ? ["cat", "cat", "🐱"] : [String(try #require(try await digits(place)).prefix(8)), ""]
        try await expect(place, before)
        if isSwitchedOff {
            try place.configure(Self.anonymous)
            first.signal(SIGHUP)
            try await first.said("Settings reloaded: sticker.keepStem\n")
        }
        try rename(place, "cat 🐱.png", to: "secret 🐶.png")
        // The index that lists the next photo was written after the former was renamed.
        try place.drop(try Workplace.photo(red: 150), as: "a.png")
        #expect(try await eventually { try place.index()?.stickers.count == 2 })
        #expect(try await first.stop() == 0)
        #expect(try words(place).first == before)

        let second = try await place.startAndRead()
        try rename(place, "secret 🐶.png", to: "mine.png")
        try place.drop(try Workplace.photo(red: 190), as: "b.png")
        #expect(try await eventually { try place.index()?.stickers.count == 3 })
        #expect(try await second.stop() == 0)
        #expect(try words(place).first == before)
        let index = String(decoding: try place.contents(of: "outbox")["pack.json"] ?? Data(), as: UTF8.self)
        for name in ["secret", "mine", "🐶"] { #expect(!index.contains(name)) }
    }

    @Test("publishes no name after keepStem was switched off and all stickers were remade")
    func hiddenLater() async throws {
        let more = #", "colors": {"export": ["css"]}"#
        let place = Workplace(settings: Workplace.settings(more))
        let daemon = try await place.startAndRead()
        try place.drop(try Workplace.photo(), as: "secret 🐱.png")
        #expect(try await eventually { try await place.isWhole() && place.count(.done) == 1 })
        try place.configure(Workplace.settings(more, sticker: #", "keepStem": false"#))
        daemon.signal(SIGHUP)
        try await daemon.said("Settings reloaded: sticker.keepStem\n")
        #expect(try await place.command("remake", "--all").end() == 0)
        let isHidden = try await eventually {
            try place.contents(of: "outbox").allSatisfy { name, contents in
                let text = name + String(decoding: contents, as: UTF8.self)
                return !text.contains("secret") && !text.contains("🐱")
            }
        }
        #expect(isHidden)
        #expect(try await eventually { try await place.isWhole() && place.index()?.stickers.count == 1 })
        #expect(try await daemon.stop() == 0)
    }

    /// The file of the only sticker.
    private func digits(_ place: Workplace) async throws -> String? {
        _ = try await eventually { try place.index()?.stickers.count == 1 }
        return try place.index()?.stickers.first?.file
    }
}
