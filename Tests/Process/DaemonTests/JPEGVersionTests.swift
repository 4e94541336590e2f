import Foundation
import LinuxIO
import PhotoCodecs
import SystemPackage
import TestSupport
import Testing

/// Runs stickerd with a copy of libjpeg that calls itself another version.
@Suite("Another version of libjpeg", .timeLimit(.minutes(1)))
struct JPEGVersionTests {
    private let place = Workplace()

    init() throws {
        // This process has loaded libjpeg, too.
        let maps = String(decoding: try OwnedDescriptor(opening: "/proc/self/maps").read(upTo: 1 << 20), as: UTF8.self)
        let line = try #require(maps.split(separator: "\n").first { $0.contains("/libjpeg.so.") })
        let path = FilePath(String(line[try #require(line.firstIndex(of: "/"))...]))
        var library = try Data(contentsOf: URL(filePath: path.string))
        let name = try #require(library.range(of: Data("libjpeg-turbo version ".utf8)))
        library[name.upperBound] = UInt8(ascii: "9")
        // The program asks for libjpeg.so.62, the file's name goes on.
        let words = try #require(path.lastComponent).string.split(separator: ".").prefix(3)
        try place.folder.write([UInt8](library), to: "libraries/\(words.joined(separator: "."))")
    }

    private func run(_ arguments: String..., other: Bool) async throws -> StickerdProcess {
        let process = try StickerdProcess(
            arguments, in: place.folder,
            environment: other ? ["LD_LIBRARY_PATH": place.folder["libraries"].string] : [:])
        #expect(try await process.end() == 0)
        return process
    }

    @Test("--version says in its second line how JPEGs are decoded")
    func version() async throws {
        let lines = try await run("--version", other: false).printed.split(separator: "\n")
        #expect(lines.count == 2 && lines.last.map(String.init) == JPEGLibrary.report)
        let others = try await run("--version", other: true).printed.split(separator: "\n")
        #expect(others.first == lines.first)
        #expect(try #require(others.last).hasPrefix("JPEG: slower decoding"))
    }

    @Test("The mask of a photo is the same")
    func mask() async throws {
        try place.folder.write(try FuzzCorpus.bytes(of: "baseline.jpg", in: "jpeg"), to: "photo.jpg")
        for (name, other) in [("own", false), ("other", true)] {
            _ = try await run("mask", "photo.jpg", "--output", name, other: other)
        }
        let own = try place.contents(of: "own")
        #expect(own.count == 1)
        #expect(try place.contents(of: "other") == own)
    }
}
