import Foundation
import Glibc
import LinuxIO
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("Renaming a photo", .timeLimit(.minutes(2)))
struct RenamingTests {
    private static let subdivision = "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"

    private static let anonymous = Workplace.settings(sticker: #", "keepStem": false"#)

    private func rename(_ place: Workplace, _ former: [UInt8], to name: [UInt8]) throws {
        let folder = try OwnedDescriptor(opening: place.folder["inbox"], options: .directory)
        let (former, name) = (former.map(CChar.init(bitPattern:)) + [0], name.map(CChar.init(bitPattern:)) + [0])
        // The arrays outlive the call.
        _ = try Errno.retry { unsafe renameat(folder.raw, former, folder.raw, name) }
    }

    private func rename(_ place: Workplace, _ former: String, to name: String) throws {
        try rename(place, Array(former.utf8), to: Array(name.utf8))
    }

    private func words(_ place: Workplace) throws -> [[String]] {
        try place.index()?.stickers.map { [$0.name ?? "", $0.text ?? ""] + ($0.emoji ?? []) } ?? []
    }

    private func expect(_ place: Workplace, _ expected: [String]) async throws {
        let isRight = try await eventually { try words(place).contains { $0 == expected } }
        let found = try words(place)
        #expect(isRight, "\(found)")
    }

    @Test("changes its sticker's name, text and emoji in all files, and remakes nothing")
    func renamed() async throws {
        let place = try Workplace()
        let first = try await place.startAndRead()
        try place.drop(try Workplace.photo(), as: "red-car_0012 🚗.png")
        try place.drop(try Workplace.photo(red: 150), as: "dog.png")
        #expect(try await eventually { place.count(.done) == 2 })
        try await expect(place, ["red car 0012", "red car", "🚗"])
        let stickers = try place.stickers()

        try rename(place, "red-car_0012 🚗.png", to: "Waving 👋🏽 Anna.png")
        try await expect(place, ["Waving Anna", "Waving Anna", "👋🏽"])
        let isOnPage = try await eventually {
            String(decoding: try place.contents(of: "outbox")["index.html"] ?? Data(), as: UTF8.self)
                .contains(#""name":"Waving Anna","emoji":["👋🏽"]"#)
        }
        #expect(isOnPage)
        #expect(try await first.stop() == 0)

        try rename(place, "Waving 👋🏽 Anna.png", to: "\(Self.subdivision)👨‍👩‍👧‍👦 (2).png")
        let second = try await place.start()
        try await expect(place, ["(2)", "", Self.subdivision, "👨‍👩‍👧‍👦"])
        try await expect(place, ["dog", "dog"])
        #expect(try await second.stop() == 0)

        #expect(try place.stickers() == stickers)
        let explain = try await place.run(
            "explain", "\(Self.subdivision)👨‍👩‍👧‍👦 (2).png", "--state", place.folder["state"].string)
        #expect(explain.printed.components(separatedBy: "done").count <= 3, "\(explain.printed)")
        let verify = try await place.command("verify")
        let status = try await verify.end()
        #expect(status == 0, "\(verify.printed)")
    }

    @Test("to a hostile name gives safe words and few emoji, and cannot forge a log line")
    func hostile() async throws {
        let place = try Workplace()
        let daemon = try await place.startAndRead()
        var name = Array("cat.png".utf8)
        try place.drop(try Workplace.photo(), as: "cat.png")
        #expect(try await eventually { place.count(.done) == 1 })
        try await expect(place, ["cat", "cat"])
        let tags = String(String.UnicodeScalarView((0x61...0x7a).compactMap { Unicode.Scalar(0xe0000 + $0) }))
        let cases: [([UInt8], [String])] = [
            (Array(repeating: "🐱", count: 20).flatMap { Array("\($0)\u{200d}".utf8) }, ["🐱", "", "🐱"]),
            (Array("🏴\(tags) x".utf8), ["x", "x", "🏴"]),
            (
                Array("caf".utf8) + [0xe9, 0xff] + Array("🐱\n🐶".utf8),
                ["caf\u{FFFD}\u{FFFD}", "caf\u{FFFD}\u{FFFD}", "🐱", "🐶"]
            ),
            (
                Array("\u{202e}🐱</script><!--".utf8),
                ["</script><!", "</script><!", "🐱"]
            ),
            (Array(String(repeating: "🇩", count: 41).utf8), [String(repeating: "🇩", count: 30), ""]),
        ]
        for (bytes, expected) in cases {
            let next = bytes.filter { $0 != UInt8(ascii: "/") } + Array(".png".utf8)
            try rename(place, name, to: next)
            name = next
            try await expect(place, expected.map { $0.replacing("/", with: "") })
        }
        #expect(place.count(.done) == 1)
        #expect(try await daemon.stop() == 0)
    }

    @Test("or giving the pack emoji needs no restart, and a hidden name stays hidden")
    func settings() async throws {
        let place = try Workplace(settings: Self.anonymous)
        let daemon = try await place.startAndRead()
        try place.drop(try Workplace.photo(), as: "secret 🐱.png")
        #expect(try await eventually { try place.index()?.stickers.count == 1 })
        #expect(try place.index()?.pack.emoji == [])
        try place.configure(
            Workplace.settings(#", "pack": {"emoji": ["❤", "🐱"]}"#, sticker: #", "keepStem": false"#))
        daemon.signal(SIGHUP)
        #expect(try await eventually { try place.index()?.pack.emoji == ["❤️", "🐱"] })
        try rename(place, "secret 🐱.png", to: "mine 🐶.png")
        // The index that lists the next photo was written after the former was renamed.
        try place.drop(try Workplace.photo(red: 150), as: "a.png")
        #expect(try await eventually { try place.index()?.stickers.count == 2 })
        #expect(try await daemon.stop() == 0)
        let sticker = try #require(try place.index()?.stickers.first)
        #expect(sticker.text == "" && sticker.emoji == [])
        let index = String(decoding: try place.contents(of: "outbox")["pack.json"] ?? Data(), as: UTF8.self)
        #expect(!index.contains("secret") && !index.contains("mine") && !index.contains("🐶"))
    }

    @Test("publishes no name after keepStem was switched off, neither at once nor after a restart")
    func switchedOff() async throws {
        let place = try Workplace()
        let first = try await place.startAndRead()
        try place.drop(try Workplace.photo(), as: "cat.png")
        try await expect(place, ["cat", "cat"])
        try place.configure(Self.anonymous)
        first.signal(SIGHUP)
        try await first.said("Settings reloaded: sticker.keepStem\n")
        try rename(place, "cat.png", to: "secret.png")
        // As above.
        try place.drop(try Workplace.photo(red: 150), as: "a.png")
        #expect(try await eventually { try place.index()?.stickers.count == 2 })
        #expect(try await first.stop() == 0)
        #expect(try words(place).first == ["cat", "cat"])

        let second = try await place.startAndRead()
        try rename(place, "secret.png", to: "mine.png")
        try place.drop(try Workplace.photo(red: 190), as: "b.png")
        #expect(try await eventually { try place.index()?.stickers.count == 3 })
        #expect(try await second.stop() == 0)
        #expect(try words(place).first == ["cat", "cat"])
        let story = try await place.run("explain", "mine.png", "--state", place.folder["state"].string)
        #expect(story.printed.contains("cat-"), "\(story.printed)")
    }

    @Test("publishes no name in a repair after keepStem was switched off")
    func repaired() async throws {
        let place = try Workplace()
        let daemon = try await place.startAndRead()
        try place.drop(try Workplace.photo(), as: "cat.png")
        try await expect(place, ["cat", "cat"])
        #expect(try await daemon.stop() == 0)
        try place.configure(Self.anonymous)

        // The photo left its pack and came back.
        try rename(place, "cat.png", to: "secret.png")
        let identity = try FileStatus(of: place.folder["inbox/secret.png"]).identity
        do {
            let library = try PhotoLibrary(in: place.folder["state"], outbox: place.folder["outbox"].string)
            try await library.adopt(keepStem: false)
            let names = ["cat.png", "Cats/cat.png", "secret.png"].map { InboxPath(bytes: Array($0.utf8)) }
            for (former, name) in zip(names, names.dropFirst()) {
                let arrival = Arrival(path: name, identity: identity, verdict: .ready)
                #expect(try await library.record([arrival], renamed: [name: former]) <= 1)
            }
            try library.close()
        }
        // There must be something to repair.
        try place.folder.remove("outbox/index.html")
        let verify = try await place.command("verify", "--repair")
        let status = try await verify.end()
        #expect(status == 0, "\(verify.printed) \(verify.errors)")
        #expect(place.count(.done) == 1)
        #expect(try words(place) == [["cat", "cat"]])
    }
}
