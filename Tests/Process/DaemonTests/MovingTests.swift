import Foundation
import Glibc
import LinuxIO
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("Renaming a pack's folder", .timeLimit(.minutes(2)))
struct MovingTests {
    private static let photos = 4

    private func files(_ place: Workplace, _ folder: String) -> Set<String> {
        let names = try? FileManager.default.contentsOfDirectory(atPath: place.folder["outbox/\(folder)"].string)
        return Set(names ?? []).filter { $0.hasSuffix(".png") || $0.hasSuffix(".webp") }
    }

    /// A daemon with finished photos in the pack Old.
    private func start(_ place: Workplace) async throws -> StickerdProcess {
        try place.folder.makeFolder("inbox/Old")
        let daemon = try await place.startAndRead()
        for number in 1...Self.photos {
            try place.drop(try Workplace.photo(red: UInt8(130 + 20 * number)), as: "Old/\(number).png")
        }
        #expect(try await eventually { place.count(.done) == Self.photos })
        return daemon
    }

    /// Every sticker is in the new pack, in its place, and nowhere else.
    private func expectMoved(_ place: Workplace) async throws {
        let hasMoved = try await eventually {
            try place.index("New")?.stickers.count == Self.photos && place.index("Old")?.stickers.count == 0
                && files(place, "Old").isEmpty && files(place, "Old/thumbnails").isEmpty
        }
        #expect(hasMoved)
        #expect(try place.index("New")?.stickers.map { $0.file.prefix(1) } == ["1", "2", "3", "4"])
        #expect(files(place, "New").count == Self.photos)
        #expect(files(place, "New/thumbnails").count == Self.photos)
        #expect(place.count(.done) == Self.photos)
    }

    @Test("moves its stickers to a pack of the new name")
    func renamed() async throws {
        let place = try Workplace()
        let daemon = try await start(place)
        try place.folder.rename("inbox/Old", to: "inbox/New")
        try await expectMoved(place)
        #expect(try await daemon.stop() == 0)
    }

    /// How far the first daemon gets.
    enum Progress: CaseIterable {
        case stopped, renamed, hasFolder, hasIndex
    }

    @Test("while stickerd is stopped, or right before it is killed, does the same", arguments: Progress.allCases)
    func killed(progress: Progress) async throws {
        let place = try Workplace()
        let first = try await start(place)
        if progress == .stopped { #expect(try await first.stop() == 0) }
        try place.folder.rename("inbox/Old", to: "inbox/New")
        if progress == .hasFolder { #expect(try await eventually { place.folder.exists("outbox/New") }) }
        if progress == .hasIndex { #expect(try await eventually { try place.index("New") != nil }) }
        if progress != .stopped {
            first.signal(SIGKILL)
            _ = try await first.end()
        }
        let second = try await place.start()
        try await expectMoved(place)
        #expect(try await second.stop() == 0)
        let verify = try await place.command("verify")
        #expect(try await verify.end() == 0, "\(verify.printed)")
    }
}
