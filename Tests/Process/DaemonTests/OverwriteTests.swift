import Foundation
import PhotoCodecs
import SystemPackage
import TestSupport
import Testing

@Suite("Files in the way of commands", .timeLimit(.minutes(Sanitizer.slowdown)))
struct OverwriteTests {
    private let place = Workplace()
    private static let other = Array("another picture".utf8)

    init() throws { try place.folder.write(try Workplace.photo(), to: "cat.jpg") }

    private func end(_ command: [String]) async throws -> (status: Int32, errors: String) {
        let process = try StickerdProcess(command + place.config, in: place.folder)
        return (try await process.end(), process.errors)
    }

    /// The file that the command writes into an empty folder.
    private func result(of command: [String]) async throws -> (name: String, bytes: [UInt8]) {
        #expect(try await end(command + ["--output", "empty"]).status == 0)
        let made = try #require(try place.contents(of: "empty").first)
        return (made.key, [UInt8](made.value))
    }

    @Test(
        "A file with other contents fails its photo, and stays, unless --overwrite is given; the same contents are none",
        arguments: [
            ["mask", "cat.jpg"], ["make", "cat.jpg"], ["make", "cat.jpg", "--cut"],
            ["palette", "cat.jpg", "--format", "css"],
        ])
    func folder(command: [String]) async throws {
        let (name, bytes) = try await result(of: command)
        let file = "out/\(name)"
        func end(_ more: String...) async throws -> (status: Int32, errors: String) {
            try await self.end(command + ["--output", "out"] + more)
        }
        try place.folder.write(Self.other, to: file)
        let refused = try await end()
        #expect(refused.status == 1)
        #expect(refused.errors.contains("\(place.folder[file]): is there with other contents; pass --overwrite"))
        #expect(try place.contents(of: "out") == [name: Data(Self.other)])
        #expect(try await end("--overwrite").status == 0)
        #expect(try place.contents(of: "out") == [name: Data(bytes)])
        #expect(try await end() == (0, ""))
        // A link that leads nowhere stays, too.
        try FileManager.default.removeItem(atPath: place.folder[file].string)
        try place.folder.link(file, to: "nowhere")
        #expect(try await end().status == 1)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place.folder[file].string) == "nowhere")
    }

    @Test("So does a file that is named as the output", arguments: ["mask", "make"])
    func file(command: String) async throws {
        try place.folder.write(Self.other, to: "out/cut.png")
        func end(_ more: String...) async throws -> (status: Int32, errors: String) {
            try await self.end([command, "cat.jpg", "--output", "out/cut.png"] + more)
        }
        let refused = try await end()
        #expect(refused.status == 1 && refused.errors.contains("cut.png: is there with other contents"))
        #expect(try place.contents(of: "out") == ["cut.png": Data(Self.other)])
        #expect(try await end("--overwrite").status == 0)
        #expect(try place.contents(of: "out") != ["cut.png": Data(Self.other)])
        #expect(try await end().status == 0)
    }

    @Test(
        "Of two photos of one name, the first of the command line has the file without a number, whichever is finished first"
    )
    func order() async throws {
        try place.folder.write(try Workplace.photo(), to: "large/x.png")
        try place.folder.write(try PNGEncoder.encode(DrawnPicture.disc(width: 40, height: 30)), to: "small/x.png")
        var sizes: [[String: Int]] = []
        for _ in 1...3 {
            #expect(try await end(["mask", "large", "small", "--output", "out"]).status == 0)
            sizes.append(try place.contents(of: "out").mapValues(\.count))
        }
        #expect(Set(sizes).count == 1)
        #expect(sizes[0]["x.png", default: 0] > sizes[0]["x-2.png", default: .max])
    }

    @Test("A photo is never replaced, under any of its names, even with --overwrite")
    func photo() async throws {
        try place.folder.write(try Workplace.photo(red: 90), to: "photos/dog.png")
        try FileManager.default.createDirectory(atPath: place.folder["out"].string, withIntermediateDirectories: true)
        try FileManager.default.linkItem(
            atPath: place.folder["photos/dog.png"].string, toPath: place.folder["out/dog.png"].string)
        try FileManager.default.createDirectory(atPath: place.folder["links"].string, withIntermediateDirectories: true)
        try place.folder.link("links/dog.png", to: "../photos/dog.png")
        let before = try place.contents(of: "photos")
        for photo in ["photos/dog.png", "links/dog.png"] {
            for output in ["out", "photos", "photos/dog.png"] {
                _ = try await end(["mask", photo, "--overwrite", "--output", output])
                #expect(try place.contents(of: "photos")["dog.png"] == before["dog.png"], "\(photo) \(output)")
            }
        }
        #expect(try place.contents(of: "out").keys.sorted() == ["dog-2.png", "dog.png"])
    }
}
