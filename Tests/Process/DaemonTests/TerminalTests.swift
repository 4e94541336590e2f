import Foundation
import PhotoLibrary
import PhotoRule
import StickerDaemon
import SystemPackage
import TestSupport
import Testing

@Suite("Escapes, priorities and time stamps in output", .timeLimit(.minutes(Sanitizer.slowdown)))
struct TerminalTests {
    private let place: Workplace

    init() throws {
        // A photo may keep its worker for longer than a test stops the worker.
        place = Workplace(settings: Workplace.settings(#", "limits": {"secondsPerPhoto": 3600}"#))
        try place.folder.write(try Workplace.photo(), to: "a.png")
    }

    @Test("palette writes escapes only to a terminal that may have colors")
    func palette() async throws {
        let command = ["palette", "a.png"] + place.config
        #expect(try await !place.run("palette", "a.png", "--config", "config.json").printed.contains("\u{1B}"))
        for (environment, isColored) in [
            ([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false),
        ] {
            let terminal = try PseudoTerminal(columns: 80)
            let palette = try StickerdProcess(
                command, in: place.folder, environment: environment, output: terminal.slave)
            #expect(try await palette.end() == 0)
            #expect(try await eventually { terminal.text.contains("complement") })
            #expect(terminal.text.contains("\u{1B}[48;2;") == isColored, "\(environment)")
        }
        try await place.run("palette", "a.png", "--output", "colors", "--config", "config.json", exits: 0)
        let text = try #require(try place.contents(of: "colors")["a.txt"])
        #expect(!text.contains(0x1B) && text.contains(UInt8(ascii: "#")))
    }

    @Test("No other command writes escapes into a pipe")
    func commands() async throws {
        try await place.fill([
            ("a.png", try Workplace.photo()), ("b\u{1B}[31m.png", Array("\u{89}PNG\r\n\u{1A}\n".utf8)),
        ])
        let all = place.folders + place.config
        for command in [
            ["--help"], ["help", "palette"], ["status"] + all, ["explain", "a.png"] + all, ["settings"],
            ["verify"] + all,
            ["make", "a.png", "b\u{1B}[31m.png", "--output", "made"] + place.config, ["check-config", "config.json"],
            ["remake", "--all"] + all, ["retry", "b\u{1B}[31m.png"] + all, ["explain", "\u{1B}[2J"] + all,
            ["remove", "\u{1B}[2J.png"] + all,
            ["--\u{1B}[2J"], ["palette", "a.png", "--format", "\u{1B}[2J"],
        ] {
            let process = try StickerdProcess(command, in: place.folder)
            _ = try await process.end()
            #expect(!(process.printed + process.errors).contains("\u{1B}"), "\(command)")
        }
    }

    /// Starts the daemon, and drops files that its worker gets only after the backlog was noticed.
    private func start(
        dropping files: [(name: String, bytes: [UInt8])], on terminal: PseudoTerminal? = nil
    ) async throws -> StickerdProcess {
        let daemon = try StickerdProcess(
            ["run"] + place.folders + place.config, in: place.folder, errorOutput: terminal?.slave)
        // What the first reading finds settles, and may arrive after what is dropped later.
        let hasRead = try await eventually {
            try (terminal?.text ?? daemon.errors).contains("Watching")
                && place.hasRead() && daemon.workers().count == 1
        }
        #expect(hasRead)
        let worker = try #require(try daemon.workers().first)
        ProcessTable.signal(worker, SIGSTOP)
        for (name, bytes) in files { try place.drop(bytes, as: name) }
        if let terminal {
            // How many are counted varies: files that are no pictures need no worker, and may have ended.
            #expect(try await eventually { terminal.text.contains(#/[0-9]/[0-9]/#) })
        } else {
            #expect(try await eventually { place.count(.pending) + place.count(.processing) == files.count })
            // Such a line follows a look at the queue, which for the first may have been earlier.
            for link in ["one", "two"] {
                try place.folder.link("inbox/\(link)", to: "a.png")
                try await daemon.said("Ignored photo=\(link)")
            }
        }
        ProcessTable.signal(worker, SIGCONT)
        return daemon
    }

    private func photos(_ names: [String]) throws -> [(name: String, bytes: [UInt8])] {
        try names.enumerated().map { ($1, try Workplace.photo(red: UInt8(100 + 12 * $0))) }
    }

    @Test("On a terminal, a backlog has one line a photo that fits, and a live line", arguments: [40, 80, 200])
    func backlog(columns: Int) async throws {
        let names = [
            "a.png", String(repeating: "long name ", count: 20) + ".png", "日本語の名前\u{1B}[31m写真写真写真.png",
            "two\nlines \u{202E}gnp.exe.png",
        ]
        let others = [("broken.gif", Workplace.noPhoto), ("notes.txt", Array("Dear diary".utf8))]
        let terminal = try PseudoTerminal(columns: columns)
        let daemon = try await start(dropping: try photos(names) + others, on: terminal)
        #expect(try await eventually { terminal.text.contains("Finished: 4 stickers, 1 photo failed") })
        #expect(try await daemon.stop() == 0)
        #expect(try await eventually { terminal.text.contains("Stopped") })
        let lines = terminal.screen
        let photos = lines.filter { $0.hasPrefix("✓ ") || $0.hasPrefix("✗ ") || $0.hasPrefix("– ") }
        #expect(photos.count == 6, "\(lines)")
        #expect(photos.allSatisfy { DisplayWidth.of($0) < columns }, "\(photos)")
        let made = photos.filter { $0.hasPrefix("✓ ") && $0.contains(" → ") && $0.contains(" s") }
        #expect(made.count == 4, "\(photos)")
        #expect(photos.contains { $0.hasPrefix("✗ broken.gif: ") })
        #expect(photos.contains { $0.hasPrefix("– notes.txt") })
        #expect(lines.contains { $0.hasSuffix("Finished: 4 stickers, 1 photo failed") }, "\(lines)")
        // The live line is erased in the end.
        let liveLines = lines.filter { $0.prefixMatch(of: #/\d/6/#) != nil }
        #expect(liveLines == [])
        let escapes: [String] = terminal.text.matches(of: #/\x1B.[0-9;]*[A-Za-z]/#).map {
            String($0.output.dropFirst())
        }
        let own: Set<String> = ["[2K", "[0m", "[32m", "[36m", "[33m", "[1;31m", "[2m"]
        #expect(Set(escapes).subtracting(own) == [])
    }

    @Test("A duplicate's line names its original")
    func duplicate() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        let daemon = try StickerdProcess(
            ["run"] + place.folders + place.config, in: place.folder, errorOutput: terminal.slave)
        for (name, line) in [("a.png", "✓ a.png → "), ("b.png", "– b.png: duplicate of a.png")] {
            try place.drop(try Workplace.photo(), as: name)
            #expect(try await eventually { terminal.screen.contains { $0.hasPrefix(line) } }, "\(terminal.screen)")
        }
        #expect(try await daemon.stop() == 0)
    }

    @Test("In a pipe, the photos of a backlog have no lines of their own, except those without a sticker")
    func pipedBacklog() async throws {
        let daemon = try await start(
            dropping: try photos((0..<12).map { "\($0).png" }) + [("broken.gif", Workplace.noPhoto)])
        try await daemon.said("Finished: 12 stickers, 1 photo failed\n")
        // The last two photos are no backlog any more.
        #expect(daemon.errors.matches(of: /Made a sticker/).count <= 2, "\(daemon.errors)")
        #expect(daemon.errors.contains("Cannot make a sticker photo=broken.gif"))
        try place.drop(try Workplace.photo(red: 90), as: "single.png")
        try await daemon.said("Made a sticker photo=single.png")
        #expect(try await daemon.stop() == 0)
    }

    @Test("A terminal without escapes gets none")
    func dumb() async throws {
        for (name, bytes) in try photos((0..<4).map { "\($0).png" }) { try place.drop(bytes, as: name) }
        let terminal = try PseudoTerminal(columns: 80)
        let daemon = try StickerdProcess(
            ["run"] + place.folders + place.config, in: place.folder, environment: ["TERM": "dumb"],
            errorOutput: terminal.slave)
        #expect(try await eventually { terminal.text.contains("Finished: 4 stickers") })
        #expect(try await daemon.stop() == 0)
        #expect(!terminal.text.contains("\u{1B}"))
        #expect(terminal.text.contains("✓ 0.png → 0-"))
    }

    @Test("make on a terminal shows marks and progress, in a pipe plain lines, and in the end the sums")
    func make() async throws {
        try place.folder.write(Workplace.noPhoto, to: "b.gif")
        try place.folder.write(try Workplace.photo(red: 150), to: "c.png")
        let command = ["make", "a.png", "b.gif", "c.png", "--output", "made"] + place.config
        let terminal = try PseudoTerminal(columns: 80)
        let shown = try StickerdProcess(command, in: place.folder, output: terminal.slave, errorOutput: terminal.slave)
        #expect(try await shown.end() == 1)
        #expect(try await eventually { terminal.text.contains("Finished: 2 stickers, 1 photo failed") })
        let made = terminal.screen.filter {
            $0.prefixMatch(of: /✓ [ac]\.png → .*\/made\/[ac]-.*\.png  \d+\.\d+ s$/) != nil
        }
        #expect(made.count == 2, "\(terminal.screen)")
        #expect(terminal.text.contains("2/3"))
        let piped = try StickerdProcess(command, in: place.folder)
        #expect(try await piped.end() == 1)
        #expect(piped.printed.hasPrefix("a.png → ") && !(piped.printed + piped.errors).contains("\u{1B}"))
        #expect(piped.errors.hasSuffix("Finished: 2 stickers, 1 photo failed\n"))
    }
}
