import Foundation
import Glibc
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("Standard output and error", .timeLimit(.minutes(Sanitizer.slowdown)))
struct OutputTests {
    private let place = Workplace()

    init() throws { try place.folder.write(try Workplace.photo(), to: "a.png") }

    /// Two photos, one of which failed, so that every command prints something.
    private func fill() async throws {
        try await place.fill([("a.png", try Workplace.photo()), ("text.jpg", Workplace.noPhoto)])
    }

    private var commands: [[String]] {
        let all = place.folders + place.config
        return [
            ["--help"], ["--version"], ["help", "run"], ["--generate-completion-script", "bash"],
            ["palette", "a.png"] + place.config, ["palette", "a.png", "--format", "ase"] + place.config,
            ["make", "a.png", "--output", "made"] + place.config,
            ["mask", "a.png", "--output", "masks"] + place.config,
            ["status", "--state", place.folder["state"].string], ["explain", "a.png"] + all, ["verify"] + all,
            ["remake"] + all, ["retry", "--failed"] + all, ["check-config", "config.json"],
        ]
    }

    @Test("Output that cannot be written ends every command with status 74 and one line")
    func full() async throws {
        try await fill()
        for command in commands {
            for redirection in ["> /dev/full", ">&-"] {
                let process = try StickerdProcess(command, in: place.folder, shell: "exec \"$@\" \(redirection)")
                #expect(try await process.end() == 74, "\(command) \(redirection)")
                let lines = process.errors.split(separator: "\n")
                #expect(lines.count == 1 && lines[0].hasPrefix("cannot write to standard output: "), "\(lines)")
            }
        }
    }

    @Test("A log whose reader has stopped holds back neither photos nor the end")
    func stoppedReader() async throws {
        try place.configure(Workplace.settings(#", "log": {"level": "debug"}"#))
        let pipe = Pipe()
        // F_SETPIPE_SZ, which Swift does not import.
        _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, 1031, 4096)
        let daemon = try StickerdProcess(
            ["run"] + place.folders + place.config, in: place.folder, errorOutput: pipe.fileHandleForWriting)
        // More lines than the pipe holds.
        for number in 1...20 { try place.drop(try Workplace.photo(red: UInt8(number * 10)), as: "\(number).png") }
        #expect(try await eventually { place.count(.done) == 20 })
        #expect(try await daemon.stop() == 0)
        let log = pipe.fileHandleForReading.availableData
        #expect(log.count > 2048)
    }

    @Test("A closed pipe ends every command by SIGPIPE without a message")
    func closedPipe() async throws {
        try await fill()
        for command in commands {
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let process = try StickerdProcess(command, in: place.folder, output: pipe.fileHandleForWriting)
            #expect(try await process.end() == -SIGPIPE, "\(command)")
            #expect(process.errors == "")
        }
    }

    @Test(
        "A full standard error does not change the exit status",
        arguments: [
            (["make", "missing.png", "--output", "made"], 1), (["check-config", "missing.json"], 78),
            (["nonsense"], 64),
            (["status", "--state", "nowhere"], 1),
        ] as [([String], Int32)], ["2> /dev/full", "2>&-"])
    func errors(_ command: ([String], Int32), redirection: String) async throws {
        let process = try StickerdProcess(command.0, in: place.folder, shell: "exec \"$@\" \(redirection)")
        #expect(try await process.end() == command.1)
    }

    @Test("The daemon and its workers survive a standard error that was closed")
    func daemon() async throws {
        let pipe = Pipe()
        let daemon = try StickerdProcess(
            ["run"] + place.folders + place.config, in: place.folder, errorOutput: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        try pipe.fileHandleForReading.close()
        try place.drop(try Workplace.photo(), as: "a.png")
        #expect(try await eventually { place.count(.done) == 1 })
        let worker = try #require(try daemon.workers().first)
        ProcessTable.signal(worker, SIGKILL)
        try place.drop(try Workplace.photo(red: 150), as: "b.png")
        #expect(try await eventually { place.count(.done) == 2 })
        #expect(try await daemon.stop() == 0)
    }
}
