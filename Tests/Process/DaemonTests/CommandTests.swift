import Foundation
import PhotoCodecs
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("The command line", .timeLimit(.minutes(1)))
struct CommandTests {
    private let place = Workplace()

    @Test(
        "The exit status distinguishes success, failure, usage errors and invalid settings",
        arguments: [
            (["--version"], 0), (["--help"], 0), (["nonsense"], 64), (["run", "--nonsense"], 64), (["make"], 64),
            (["make", "x.png"], 1), (["mask", "--output", "made"], 64), (["mask", ""], 64),
            (["make", "x.png", "--output", ""], 64), (["export", ".", "--for", "signal", "--output", ""], 64),
            (["check-config"], 64),
            (["check-config", "config.json"], 0), (["check-config", "missing.json"], 78),
            (["check-config", "wrong.json"], 78), (["run", "--config", "wrong.json"], 78),
            (["run", "--inbox", "a", "--outbox", "a/b"], 78),
            (["make", "x.png", "--output", "o", "--config", "wrong.json"], 78),
            (["status", "--state", "nowhere"], 1), (["make", "missing.png", "--output", "made"], 1),
            (["mask", "config.json", "--output", "made"], 1),
        ] as [([String], Int32)])
    func status(arguments: [String], status: Int32) async throws {
        try place.folder.write(#"{"sticker": {"sise": 3}}"#, to: "wrong.json")
        let process = try StickerdProcess(arguments, in: place.folder)
        #expect(try await process.end() == status)
        #expect(status == 0 ? !process.printed.isEmpty : !process.errors.isEmpty)
    }

    @Test("make --cut writes an SVG of the sticker and of the line around it; so does an output like cat.svg")
    func cut() async throws {
        try place.folder.write(try Workplace.photo(), to: "cat.png")
        try await place.run("make", "cat.png", "--cut", "--output", "made", exits: 0)
        try await place.run("make", "cat.png", "--output", "cat.svg", exits: 0)
        let made = try place.contents(of: "made")
        let file = try #require(made.first { $0.key.hasSuffix(".svg") }?.value)
        #expect(made.count == 1)
        #expect(place.folder.bytes(of: "cat.svg") == [UInt8](file))
        let text = String(decoding: file, as: UTF8.self)
        let parts = try #require(
            text.firstMatch(of: #/base64,([^"]+)"\/>\n<path id="CutContour" fill="none" stroke="#f0f" d="M[^"]+Z"\/>/#))
        let picture = [UInt8](try #require(Data(base64Encoded: String(parts.1))))
        #expect(try PhotoDecoder().decode(.bytes(picture), workingSide: 4096).hasAlpha)
        try await place.run("make", "cat.png", "--cut", "--output", "cat.png", exits: 64)
    }

    @Test("A refused export leaves no folder")
    func refusedExport() async throws {
        try place.folder.write("{}", to: "pack/pack.json")
        try await place.run("export", "pack", "--for", "signal", "--output", "made", exits: 1)
        #expect(!FileManager.default.fileExists(atPath: place.folder["made"].string))
    }

    @Test("A pack that the user may not read is neither missing nor damaged", arguments: ["pack", "pack/pack.json"])
    func closedPack(closed: String) async throws {
        try place.folder.write("{}", to: "pack/pack.json")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: place.folder[closed].string)
        let process = try await place.run(
            "export", "pack", "--for", "line", "--output", "made", mayReadAll: false, exits: 1)
        #expect(process.errors.contains("Permission denied") && process.errors.contains("\(place.folder[closed]): "))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place.folder[closed].string)
    }

    @Test(
        "A mistyped command is answered with the nearest one, on one line; the worker is none",
        arguments: [
            ("mkae", #"command "mkae"; did you mean "make"?"#), ("hlep", #"command "hlep"; did you mean "help"?"#),
            ("--verison", #"option "--verison"; did you mean "--version"?"#),
            ("wroker", #"command "wroker"; "stickerd --help" lists all"#),
            ("make\u{1b}[2J\n", #"command "make\x1b[2J\x0a"; "stickerd --help" lists all"#),
        ])
    func mistypedCommand(name: String, answer: String) async throws {
        for before in [[], ["help"]] {
            let process = try StickerdProcess(before + [name, "--json"], in: place.folder)
            #expect(try await process.end() == 64)
            #expect(process.errors == "stickerd: unknown \(answer)\n")
        }
    }

    @Test(
        "Errors print no control characters of names on the command line",
        arguments: [
            ["check-config", "\u{1B}[2J"], ["status", "--state", "\u{1B}[2J"], ["make", "a", "--set", "\u{1B}[2J=1"],
        ])
    func controlCharacters(arguments: [String]) async throws {
        let process = try StickerdProcess(arguments, in: place.folder)
        #expect(try await process.end() != 0)
        #expect(process.errors.contains("\\x1b[2J") && !process.errors.contains("\u{1B}"), "\(process.errors)")
    }

    @Test("make gives the daemon's names and bytes, prints each photo's result, and fails if one fails")
    func make() async throws {
        let photo = try Workplace.photo()
        let flat = try PNGEncoder.encode(DrawnPicture.flat(width: 64, height: 64, 90, 90, 90))
        for (name, bytes) in [("a\nb.png", photo), ("copy.png", photo), ("flat.png", flat)] {
            try place.folder.write(bytes, to: "photos/\(name)")
        }
        let good = try await place.run(
            "make", "photos/a\nb.png", "photos/copy.png", "photos/flat.png", "--output", "deep/made",
            "--config", "config.json", exits: 0)
        #expect(good.printed.contains("copy.png: duplicate of photos/a"))
        #expect(good.printed.contains("flat.png: no clear subject"))
        let made = try place.contents(of: "deep/made")

        try await place.fill([("a\nb.png", photo)])
        #expect(try place.stickers() == made)

        let bad = try await place.run(
            "make", "config.json", "photos/flat.png", "--output", "made", "--config", "config.json", exits: 1)
        #expect(bad.errors.contains("config.json: "))
        #expect(bad.printed.contains("flat.png"))
    }

    @Test("A sticker that cannot be written fails its photo and ends make")
    func blocked() async throws {
        try place.folder.write(try Workplace.photo(), to: "a.png")
        try await place.run("make", "a.png", "--output", "made", "--config", "config.json", exits: 0)
        let name = try #require(try place.contents(of: "made").keys.first)
        try place.folder.write([1], to: "blocked/\(name)/inside")
        let second = try await place.run("make", "a.png", "--output", "blocked", "--config", "config.json", exits: 1)
        #expect(second.errors.contains("cannot be written"))
    }

    @Test("mask writes a gray image of the photo's size, also without a subject")
    func mask() async throws {
        let photo = try Workplace.photo()
        try place.folder.write(photo, to: "photos/a.png")
        let flat = try PNGEncoder.encode(DrawnPicture.flat(width: 64, height: 48, 90, 90, 90))
        try place.folder.write(flat, to: "photos/flat.png")
        try await place.run(
            "mask", "photos/a.png", "photos/flat.png", "--output", "masks", "--config", "config.json", exits: 0)
        let masks = try place.contents(of: "masks")
        #expect(Set(masks.keys) == ["a.png", "flat.png"])
        // Width, height, bits and color type of a PNG's header: 8-bit gray.
        #expect(masks["a.png"].map { Array($0[16..<26]) } == [0, 0, 0, 160, 0, 0, 0, 120, 8, 0])
        #expect(masks["flat.png"].map { Array($0[16..<26]) } == [0, 0, 0, 64, 0, 0, 0, 48, 8, 0])

    }
}
