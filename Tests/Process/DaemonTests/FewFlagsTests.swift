import Foundation
import Glibc
import PhotoLibrary
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("Commands with few flags", .timeLimit(.minutes(Sanitizer.slowdown)))
struct FewFlagsTests {
    private let place = Workplace()

    @Test("The state folder is enough: the Library knows inbox, outbox and settings file")
    func state() async throws {
        try await place.fill([("a.png", try Workplace.photo()), ("b.gif", Workplace.noPhoto)])
        let state = ["--state", "state"]
        let files = try FileManager.default.contentsOfDirectory(atPath: place.folder["outbox"].string)
        let sticker = try #require(files.first { $0.hasSuffix(".png") })
        for (command, text) in [
            (["verify"], "2 photos and 1 sticker: no differences"), (["explain", "inbox/a.png"], "a.png"),
            (["remake"], "The next start remakes the stickers of 0 photos"),
            (["retry", "inbox/b.gif"], "1 photo will be retried at the next start"), (["status"], "stickers    1"),
            (["remove", sticker], "1 sticker will be removed at the next start"),
            (["restore", sticker], "1 photo will be processed again at the next start"),
        ] {
            let process = try StickerdProcess(command + state, in: place.folder)
            #expect(try await process.end() == 0, "\(command) \(process.errors)")
            #expect(process.printed.contains(text), "\(process.printed)")
            #expect(process.errors == "")
        }
    }

    /// What this machine has besides does not matter: the user's own daemon comes first (`DaemonFinderTests`).
    @Test("Without flags, commands take the running daemon and say which; without data, they fail")
    func found() async throws {
        let daemon = try StickerdProcess(["run"], in: place.folder)
        try await daemon.said("Watching for photos")
        let status = try await place.run("status")
        let state = place.folder["home/.local/state/stickerd"]
        #expect(status.errors == "Using the running daemon with its data in \(state)\n")
        #expect(status.printed.contains("inbox       \(place.folder["home/.local/share/stickerd/inbox"])"))
        #expect(try await daemon.stop() == 0)
        let none = try await place.run("status", "--state", "nowhere", exits: 1)
        #expect(none.errors.contains("No stickerd data in"))
    }

    @Test("Commands use the service's settings file even if it was written after the start")
    func laterSettings() async throws {
        let state = place.folder["service"]
        try place.folder.write(try Workplace.photo(), to: "service/inbox/a.png")
        let daemon = try StickerdProcess(
            ["run"], in: place.folder,
            environment: ["CONFIGURATION_DIRECTORY": place.folder["etc"].string, "STATE_DIRECTORY": state.string])
        #expect(try await eventually { (try? Library.status(in: state))?.photos[.done] == 1 })
        try place.folder.write(#"{"sticker": {"size": 128}}"#, to: "etc/config.json")
        daemon.signal(SIGHUP)
        try await daemon.said("Settings reloaded: sticker.size")
        let remake = try await place.run("remake", "--state", state.string)
        #expect(remake.printed == "Remaking the stickers of 1 photo\n", "\(remake.errors)")
        #expect(try await daemon.stop() == 0)
    }

    @Test("explain takes a sticker by its path or name")
    func explain() async throws {
        try place.folder.makeFolder("inbox/Cats")
        try await place.fill([("Cats/a.png", try Workplace.photo())])
        let sticker = try #require(try place.contents(of: "outbox/Cats").keys.first { $0.hasPrefix("a-") })
        for name in [sticker, "outbox/Cats/\(sticker)", place.folder["outbox/Cats/\(sticker)"].string] {
            let process = try await place.run("explain", name, "--state", "state")
            #expect(process.printed.hasPrefix("Cats/a.png\n"), "\(process.errors)")
        }
        let wrong = try await place.run("explain", "outbox/\(sticker)", "--state", "state", exits: 1)
        #expect(wrong.errors.contains("unknown; give the path of a photo or sticker"))
    }

    @Test("--set overrides a setting, and an error names it")
    func set() async throws {
        try place.folder.write(try Workplace.photo(), to: "a.png")
        let made = try await place.run(
            "make", "a.png", "--set", "sticker.size=128", "--set", "sticker.format=WebP", exits: 0)
        #expect(made.printed.hasSuffix(".webp\n"))
        for (text, expected) in [
            ("sticker.sise=3", #"--set sticker.sise: unknown key "sticker.sise"; did you mean "sticker.size"?"#),
            ("sticker.size=3", "--set sticker.size: sticker.size must be a whole number from 96 to 2048, not 3"),
            ("sticker.size", #"--set: expected KEY=VALUE, not "sticker.size""#),
        ] {
            let wrong = try await place.run("make", "a.png", "--set", text, exits: 78)
            #expect(wrong.errors == expected + "\n")
        }
    }

    @Test("make writes to the current folder, takes folders, and prints whole paths")
    func make() async throws {
        try place.folder.write(try Workplace.photo(), to: "photos/a.png")
        try place.folder.write(try Workplace.photo(red: 150), to: "photos/deep/b.png")
        try place.folder.write("Dear diary", to: "photos/notes.txt")
        try place.folder.write([1], to: "photos/.hidden")
        let made = try await place.run("make", "photos", "--config", "config.json", exits: 0)
        let lines = made.printed.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("photos/a.png → \(place.folder["a-"])"))
        #expect(lines[1].hasPrefix("photos/deep/b.png → \(place.folder["b-"])"))
        #expect(lines[2] == "photos/notes.txt: ignored: not a picture")
        #expect(made.errors == "Finished: 2 stickers\n")

        let same = try await place.run("make", "photos", "-o", "photos", "--config", "config.json", exits: 1)
        #expect(same.errors.contains("photos: contains the photos and is the folder to write to"))
        try await place.run("make", "photos", "-o", "photos/made", "--config", "config.json", exits: 0)
        let again = try await place.run("make", "photos", "-o", "photos/made", "--config", "config.json")
        #expect(again.errors == "Finished: 2 stickers\n")
    }

    @Test("A folder that cannot be read fails like a photo, and stickers of the others are made")
    func closedFolder() async throws {
        try place.folder.write(try Workplace.photo(), to: "photos/a.png")
        try place.folder.makeFolder("photos/closed")
        try place.folder.setMode(0, of: "photos/closed")
        let make = try await place.run(
            "make", "photos", "-o", "made", "--config", "config.json", mayReadAll: false, exits: 1)
        #expect(make.errors.contains("photos/closed: permission denied"), "\(make.errors)")
        #expect(try place.contents(of: "made").count == 1)
    }

    @Test("A file as output takes one photo, in the format of its name")
    func oneFile() async throws {
        try place.folder.write(try Workplace.photo(), to: "a.png")
        try place.folder.write(try Workplace.photo(red: 150), to: "b.png")
        try await place.run("make", "a.png", "-o", "folder.png/", "--config", "config.json", exits: 0)
        #expect(try place.folder.names(in: "folder.png").count == 1)
        let made = try await place.run("make", "a.png", "-o", "made/cat.webp", "--config", "config.json", exits: 0)
        #expect(made.printed == "a.png → \(place.folder["made/cat.webp"])\n")
        #expect(try place.contents(of: "made").mapValues { $0.starts(with: Array("RIFF".utf8)) } == ["cat.webp": true])
        let several = try await place.run(
            "make", "a.png", "b.png", "-o", "cat.png", "--config", "config.json", exits: 64)
        #expect(several.errors.contains("--output cat.png is one file; give one photo, or write to a folder."))
        #expect(!place.folder.exists("cat.png"))
        for command in [
            ["mask", "-o", "m.webp"], ["make", "-o", "m.jpg"], ["palette", "--format", "ase", "-o", "m.svg"],
        ] {
            let other = try StickerdProcess(command + ["a.png"] + place.config, in: place.folder)
            #expect(try await other.end() == 64)
            #expect(other.errors.contains("would have another format than its name says; end it in ."))
        }
        try await place.run("palette", "a.png", "-o", "made/a.css", "--config", "config.json", exits: 0)
        #expect(try place.contents(of: "made")["a.css"]?.contains(Array(":root".utf8)) == true)
    }

    @Test("A folder is several photos, also through a link")
    func folders() async throws {
        try place.folder.write(try Workplace.photo(), to: "photos/a.png")
        try place.folder.link("link", to: "photos")
        for folder in ["photos", "link"] {
            try await place.run("palette", folder, "--format", "json", "--config", "config.json", exits: 64)
            try await place.run("palette", folder, "--format", "css", "--config", "config.json", exits: 0)
        }
    }

    @Test("Photos of one name have custom properties of their own in joined CSS")
    func joined() async throws {
        let names = [
            "a/日本.png", "b/日本.png", "b/\(String(repeating: "x", count: 41)).png",
            "b/\(String(repeating: "x", count: 42)).png",
        ]
        for (number, name) in names.enumerated() {
            try place.folder.write(try Workplace.photo(red: UInt8(100 + 30 * number)), to: name)
        }
        let css = try await place.run("palette", "a", "b", "--format", "css", "--config", "config.json", exits: 0)
            .printed
        let properties = css.matches(of: #/--\S+-1(?=:)/#).map { String($0.output) }
        #expect(properties.count == names.count && Set(properties).count == names.count, "\(properties)")
    }
}
