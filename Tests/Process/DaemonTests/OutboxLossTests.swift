import Foundation
import Glibc
import LinuxIO
import PackFacts
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("An outbox whose marker is deleted", .timeLimit(.minutes(2)))
struct OutboxLossTests {
    private let place = Workplace()
    private let marker = "outbox/.stickerd"

    private func start() async throws -> StickerdProcess {
        let daemon = try await place.startAndRead()
        for (name, red) in [("a", 150), ("b", 200)] {
            try place.drop(try Workplace.photo(red: UInt8(red)), as: "\(name).png")
        }
        #expect(try await eventually { try place.index()?.stickers.count == 2 })
        #expect(try await eventually { try daemon.watches(place.folder["outbox/thumbnails"]) })
        return daemon
    }

    /// The marker's second line.
    private func identity() throws -> String? {
        let text = FileManager.default.contents(atPath: place.folder[marker].string) ?? Data()
        let lines = text.split(separator: UInt8(ascii: "\n"))
        return lines.count > 2 ? String(decoding: lines[1], as: UTF8.self) : nil
    }

    @Test("An idle daemon writes it again at once, and its lock still stops a second one")
    func again() async throws {
        let daemon = try await start()
        let before = try #require(try identity())
        try place.folder.remove(marker)
        #expect(try await eventually { try identity() == before })
        try place.folder.makeFolder("inbox-2")
        let second = try await place.run(
            "run", "--inbox", place.folder["inbox-2"].string, "--outbox", place.folder["outbox"].string, "--state",
            place.folder["state-2"].string, exits: 1)
        #expect(second.errors.contains("another stickerd writes to this outbox (process \(daemon.id) with"))
        #expect(try await daemon.stop() == 0)
    }

    @Test(
        "Once everything in it is deleted, it is unavailable until the command in the status accepts it; stickers are remade then",
        arguments: [true, false])
    func emptied(isFolderGone: Bool) async throws {
        let daemon = try await start()
        let before = try place.stickers()
        // Moved, because the daemon writes to it again at once.
        try place.folder.rename("outbox", to: "lost")
        if !isFolderGone { try place.folder.makeFolder("outbox") }
        try await daemon.said("Outbox unavailable")
        if isFolderGone { try place.folder.makeFolder("outbox") }
        #expect(
            try await eventually {
                try await place.command("status").printed.contains("run: truncate -s 0 '\(place.folder[marker])'")
            })
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder["outbox"].string).isEmpty)
        try place.folder.write([], to: marker)
        #expect(try await eventually { try place.stickers() == before && place.index()?.stickers.count == 2 })
        #expect(try await eventually { try await place.isWhole() })
        #expect(try await daemon.stop() == 0)
    }

    @Test("One that may be listed, but not searched, is not taken for another folder")
    func closed() async throws {
        let daemon = try await place.startAndRead(mayReadAll: false)
        try place.folder.setMode(0o644, of: "outbox")
        try place.drop(try Workplace.photo(), as: "a.png")
        try await daemon.said("the outbox cannot be opened (Permission denied)")
        try place.folder.setMode(0o755, of: "outbox")
        #expect(try await eventually { place.count(.done) == 1 })
        #expect(try await daemon.stop() == 0)
    }

    @Test(
        "Another user's marker, if it is empty, accepts the folder and is replaced; otherwise that user is named",
        .enabled(if: geteuid() == 0), arguments: [true, false])
    func anotherUser(isEmpty: Bool) async throws {
        #expect(try await start().stop() == 0)
        let text = try #require(FileManager.default.contents(atPath: place.folder[marker].string))
        try place.folder.write(isEmpty ? [] : [UInt8](text), to: marker)
        _ = try Errno.retry { unsafe chown(place.folder[marker].string, 65534, 65534) }
        guard isEmpty else {
            let daemon = try await place.command("run", mayReadAll: false, exits: 1)
            #expect(daemon.errors.contains("another user; if it does not run, remove \(place.folder[marker])"))
            return
        }
        let daemon = try await place.start(mayReadAll: false)
        #expect(try await eventually { try identity() != nil })
        #expect(try await daemon.stop() == 0)
    }
}
