import Foundation
import Glibc
import LinuxIO
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("File names on the command line", .timeLimit(.minutes(1)))
struct FileNameTests {
    private let place = Workplace()
    /// Latin 1 for "é", which is not UTF-8.
    private static let name = Array("caf".utf8) + [0xE9] + Array(".png".utf8)
    private static let inShell = #"$(printf 'caf\351.png')"#

    private func write(_ bytes: [UInt8], to name: [UInt8], in folder: FilePath) throws {
        let folder = try OwnedDescriptor(opening: folder, options: .directory)
        try OwnedDescriptor(opening: name, in: folder.raw, .readWrite, options: [.create, .truncate]).write(bytes)
    }

    @discardableResult
    private func run(
        _ arguments: [String], _ shell: String, exits status: Int32? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> StickerdProcess {
        let process = try StickerdProcess(
            arguments.prefix(1) + place.config + arguments.dropFirst(), in: place.folder, shell: "exec \"$@\" \(shell)")
        try await process.ends(with: status, sourceLocation)
        return process
    }

    @Test("make, mask and palette accept names that are not UTF-8, and print them escaped")
    func bytes() async throws {
        try write(try Workplace.photo(), to: Self.name, in: place.folder.path)
        let make = try await run(["make", "--output", "made"], Self.inShell, exits: 0)
        #expect(make.printed.hasPrefix("caf\\xe9.png → \(place.folder["made/caf-"])"), "\(make.printed)")
        let mask = try await run(["mask", "--output", "masks"], Self.inShell)
        #expect(mask.printed == "caf\\xe9.png → \(place.folder["masks"])/caf\u{FFFD}.png\n")
        try write(try Workplace.photo(red: 90), to: Array("a\u{1B}[31m\nb.png".utf8), in: place.folder.path)
        let escaped = try await run(["mask", "--output", "masks"], "a*b.png")
        #expect(escaped.printed.hasSuffix("/a\\x1b[31m\\x0ab.png\n"), "\(escaped.printed)")
        #expect(try await run(["palette", "--format", "css"], Self.inShell).end() == 0)
        try await run(["palette", "--output"], "\(Self.inShell)dir \(Self.inShell)", exits: 0)
        let missing = try await run(["make", "--output", "made"], #""$(printf 'no\377.png')""#, exits: 1)
        #expect(missing.errors.hasPrefix(#"no\xff.png: "#))
        let option = try await run(["palette", "a.png"], #""$(printf -- '--\377')""#, exits: 64)
        #expect(option.errors.contains(#"--\xff"#))
        #expect(try await run(["verify"], "--inbox \(Self.inShell)").end() == 64)
    }

    @Test("explain and retry find photos whose names are not UTF-8, by path and by path in the inbox")
    func library() async throws {
        let daemon = try await place.start()
        try write(Workplace.noPhoto, to: Self.name, in: place.folder["inbox"])
        #expect(try await eventually { place.count(.failed) == 1 })
        #expect(try await daemon.stop() == 0)
        for path in [Self.inShell, "inbox/\(Self.inShell)", #"'caf\xe9.png'"#] {
            let explain = try await run(["explain"] + place.folders, path)
            #expect(explain.printed.hasPrefix("caf\\xe9.png\n"), "\(explain.errors)")
        }
        try place.folder.link("link", to: "inbox")
        #expect(try await run(["explain"] + place.folders, "link/\(Self.inShell)").end() == 0)
        let nothing = try await run(["retry"] + place.folders, "inbox")
        #expect(nothing.errors.hasPrefix("inbox: unknown photo"), "\(nothing.errors)")
        let retry = try await run(["retry"] + place.folders, "inbox/\(Self.inShell)")
        #expect(retry.printed == "1 photo will be retried at the next start\n", "\(retry.errors)")
    }

    @Test("-- ends the options, and ./- is a file")
    func dashes() async throws {
        let photo = try Workplace.photo()
        for name in ["-x.png", "--help", "-"] { try place.folder.write(photo, to: name) }
        for arguments in ["-- -x.png", "-- --help", "./-"] {
            let palette = try await run(["palette"], "--format css \(arguments)", exits: 0)
            #expect(palette.printed.contains(":root"), "\(arguments)")
        }
    }

    @Test("- reads a photo from standard input and writes one file to standard output")
    func standardStreams() async throws {
        try place.folder.write(try Workplace.photo(), to: "a.png")
        let make = try await run(["make", "-", "--output", "made"], "< a.png")
        #expect(make.printed.hasPrefix("stdin → \(place.folder["made/stdin-"])"), "\(make.errors)")
        let piped = try StickerdProcess(
            ["make", "-", "--output", "-"] + place.config, in: place.folder, shell: "cat a.png | \"$@\" > sticker.png")
        #expect(try await piped.end() == 0, "\(piped.errors)")
        let made = try place.contents(of: "made").values.first
        #expect(FileManager.default.contents(atPath: place.folder["sticker.png"].string) == made)
        try await run(["mask", "-", "--output", "-"], "< a.png > mask.png", exits: 0)
        #expect(
            FileManager.default.contents(atPath: place.folder["mask.png"].string)?.prefix(4)
                == Data([0x89, 80, 78, 71]))
        #expect(
            try await run(["palette", "-", "--output", "-", "--format", "css"], "< a.png").printed.contains(":root"))
        #expect(try await run(["palette", "-", "-"], "< a.png").end() == 64)
        #expect(try await run(["make", "a.png", "-", "--output", "-"], "< a.png").end() == 64)
        let pipe = Pipe()
        _ = fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFL, O_NONBLOCK)
        let waiting = try StickerdProcess(
            ["palette", "-", "--format", "css"] + place.config, in: place.folder, input: pipe.fileHandleForReading)
        try await Task.sleep(for: .milliseconds(500))
        pipe.fileHandleForWriting.write(Data(try Workplace.photo()))
        try pipe.fileHandleForWriting.close()
        #expect(try await waiting.end() == 0, "\(waiting.errors)")
        let unkept = try StickerdProcess(
            ["palette", "-"] + place.config, in: place.folder, shell: "exec \"$@\" < a.png",
            environment: ["TMPDIR": "/nowhere"])
        #expect(try await unkept.end() == 1)
        #expect(unkept.errors.hasPrefix("stdin: cannot be kept in /nowhere: "), "\(unkept.errors)")
        let empty = try await run(["palette", "-"], "< /dev/null")
        #expect(empty.errors == "stdin: the file is empty\n")
        try place.configure(#"{"limits": {"maxFileBytes": 100}}"#)
        let large = try await run(["palette", "-"], "< a.png")
        #expect(large.errors == "stdin: standard input has more bytes than limits.maxFileBytes allows (100)\n")
    }
}
