import Foundation
import LinuxIO
import Logging
import PhotoCodecs
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("What becomes of the originals", .timeLimit(.minutes(1)))
struct OriginalsTests {
    private let fixture: PipelineFixture
    private let photo: [UInt8]
    private let flat: [UInt8]

    /// Another file system than the one of temporary folders, where there is one.
    private static let elsewhere: FilePath = "/dev/shm"
    private static let hasTwoFileSystems: Bool = {
        let here = try? FileStatus(of: FilePath(FileManager.default.temporaryDirectory.path)).identity.device
        let there = try? FileStatus(of: elsewhere).identity.device
        return here != nil && there != nil && here != there
    }()

    init() throws {
        fixture = try PipelineFixture()
        photo = try PipelineFixture.photo()
        flat = try PNGEncoder.encode(DrawnPicture.flat(width: 64, height: 64, 90, 90, 90))
        for name in ["archive", "failed"] { try make(fixture.folder[name]) }
    }

    private func make(_ folder: FilePath) throws {
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
    }

    private func originals(archive: FilePath? = nil) throws -> Originals {
        try Originals(
            inbox: fixture.folder["inbox"],
            folders: .init(archive: archive ?? fixture.folder["archive"], failed: fixture.folder["failed"]),
            library: fixture.library, obstacles: fixture.obstacles, logger: fixture.logger)
    }

    /// Does what is due, once.
    private func carryOut(archive: FilePath? = nil) async throws {
        let originals = try originals(archive: archive)
        originals.stop()
        try await originals.run()
    }

    /// Files below a folder by path, today's folder as `today`.
    private func files(_ folder: FilePath) throws -> [String: [UInt8]] {
        let today = Date.now.formatted(.iso8601.year().month().day()).replacing("-", with: "/")
        var files: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.string) {
            var isFolder: ObjCBool = false
            // The flag is alive for the call.
            _ = unsafe FileManager.default.fileExists(atPath: folder.appending(path).string, isDirectory: &isFolder)
            guard !isFolder.boolValue else { continue }
            let data = FileManager.default.contents(atPath: folder.appending(path).string) ?? Data()
            files[path.replacing(today, with: "today")] = [UInt8](data)
        }
        return files
    }

    private func drop(_ files: [(String, [UInt8])]) async throws {
        for (name, bytes) in files {
            try fixture.write(bytes, to: name)
            try await fixture.arrive(name)
        }
    }

    private func work(_ mode: OriginalsMode) async throws {
        try await fixture.processing(originals: mode) { try await fixture.drain($0) }
        try await carryOut()
    }

    @Test("With archive all that is done leaves the inbox, by day and subfolder; what failed has its reason beside it")
    func archive() async throws {
        try await drop([
            ("a.png", photo), ("copy.png", photo), ("flat.png", flat), ("Cats/a.png", photo), ("text.jpg", [1, 2, 3]),
        ])
        try await work(.archive)
        #expect(try files(fixture.folder["inbox"]).isEmpty)
        #expect(
            try files(fixture.folder["archive"]) == [
                "today/a.png": photo, "today/copy.png": photo, "today/flat.png": flat, "today/Cats/a.png": photo,
            ])
        let failed = try files(fixture.folder["failed"])
        #expect(Set(failed.keys) == ["text.jpg", "text.jpg.reason.txt"])
        let reason = String(decoding: failed["text.jpg.reason.txt"] ?? [], as: UTF8.self)
        #expect(reason.hasPrefix("text.jpg: ") && reason.contains("stickerd retry"))
        #expect(try await fixture.count(.failed) == 1)
    }

    @Test("With delete, photos with a sticker and their copies go; one that nothing was made of never does")
    func delete() async throws {
        try await drop([("a.png", photo), ("copy.png", photo), ("flat.png", flat), ("text.jpg", [1, 2, 3])])
        try await work(.delete)
        #expect(try files(fixture.folder["inbox"]).isEmpty)
        #expect(try files(fixture.folder["archive"]).isEmpty)
        #expect(
            try Set(files(fixture.folder["failed"]).keys) == [
                "flat.png", "flat.png.reason.txt", "text.jpg", "text.jpg.reason.txt",
            ])
    }

    @Test("With delete, a copy of a photo without a sticker shares its fate, in whatever state that one is")
    func deleteCopies() async throws {
        for (name, photo) in [("flat.png", flat), ("text.jpg", [1, 2, 3])] {
            try await drop([(name, photo)])
            try await work(.delete)
            try await drop([("again-\(name)", photo)])
            try await work(.delete)
        }
        #expect(try files(fixture.folder["inbox"]).isEmpty)
        let kept = try files(fixture.folder["failed"])
        #expect(kept["again-flat.png"] == flat && kept["flat.png"] == flat)
        #expect(kept["again-text.jpg"] == [1, 2, 3] && kept["text.jpg"] == [1, 2, 3])
        #expect(
            kept["again-flat.png.reason.txt"].map { String(decoding: $0, as: UTF8.self) }?.contains("flat.png") == true)
        #expect(try await fixture.count(.noSubject) == 2)
        #expect(try await fixture.count(.failed) == 2)
    }

    @Test("A photo that is tried again meanwhile stays in the inbox")
    func cancelled() async throws {
        try await drop([("a.png", photo), ("text.jpg", [1, 2, 3])])
        try await fixture.processing(originals: .archive) { try await fixture.drain($0) }
        // The first of the batch cannot be moved, and the log hears of it: the second has been fetched by then.
        try FileManager.default.removeItem(atPath: fixture.folder["archive"].string)
        try fixture.folder.write([1], to: "archive")
        let state = fixture.library.folder
        let originals = try Originals(
            inbox: fixture.folder["inbox"],
            folders: .init(archive: fixture.folder["archive"], failed: fixture.folder["failed"]),
            library: fixture.library, obstacles: fixture.obstacles,
            logger: Logger(label: "test") { _ in
                ReactingLog { _ = try? PhotoLibrary.requestRetry(in: state, of: ["text.jpg"]) }
            })
        originals.stop()
        try await originals.run()
        #expect(try Set(files(fixture.folder["inbox"]).keys) == ["a.png", "text.jpg"])
        #expect(try files(fixture.folder["failed"]).isEmpty)
        #expect(try await fixture.count(.pending) == 1)
    }

    @Test(
        "With delete no photo goes whose sticker is gone from the outbox: it is made again first, from that very file",
        arguments: ["a.png", "b.png"])
    func deleteMakesAgain(name: String) async throws {
        try await drop([("a.png", photo)])
        try await work(.delete)
        let made = try fixture.published()
        let sticker = try #require(made.keys.first { $0.hasSuffix(".png") })
        try FileManager.default.removeItem(atPath: fixture.folder["outbox"].appending(sticker).string)
        try await drop([(name, photo)])
        try await work(.delete)
        #expect(try fixture.published() == made)
        #expect(try files(fixture.folder["inbox"]).isEmpty)
        #expect(try await fixture.count(.done) == (name == "a.png" ? 1 : 2))
    }

    @Test("With keep the inbox is left alone")
    func keep() async throws {
        try await drop([("a.png", photo), ("text.jpg", [1, 2, 3])])
        try await work(.keep)
        #expect(try Set(files(fixture.folder["inbox"]).keys) == ["a.png", "text.jpg"])
    }

    @Test("Nothing in the archive is ever written over, however often a name comes in")
    func numbers() async throws {
        let long = String(repeating: "é", count: 125) + ".png"
        for red in [150, 180, 210] as [UInt8] {
            let photo = try PipelineFixture.photo(red: red)
            try await drop([("a.png", photo), (long, photo + [0])])
            try await work(.archive)
        }
        let archived = try files(fixture.folder["archive"])
        #expect(archived.count == 6)
        #expect(Set(archived.keys).isSuperset(of: ["today/a.png", "today/a-2.png", "today/a-3.png", "today/\(long)"]))
        #expect(archived.keys.allSatisfy { $0.utf8.count <= 255 + "today/".utf8.count })
    }

    @Test("A photo that was archived is still known: it comes in again as done, and makes no second sticker")
    func again() async throws {
        try await drop([("a.png", photo)])
        try await work(.archive)
        try await drop([("a.png", photo), ("b.png", photo)])
        try await work(.archive)
        #expect(try fixture.published().count == 1)
        #expect(try await fixture.count(.done) == 1)
        #expect(try await fixture.count(.duplicate) == 1)
        #expect(try Set(files(fixture.folder["archive"]).keys) == ["today/a.png", "today/a-2.png", "today/b.png"])
    }

    @Test("A photo that was archived can be made again from there, and stays there")
    func remake() async throws {
        try await drop([("a.png", photo)])
        try await work(.archive)
        let made = try fixture.published()
        for name in made.keys {
            try FileManager.default.removeItem(atPath: fixture.folder["outbox"].appending(name).string)
        }
        #expect(try await fixture.outbox.audit { _ in } == 1)
        try await work(.archive)
        #expect(try fixture.published() == made)
        #expect(try files(fixture.folder["archive"]) == ["today/a.png": photo])
    }

    @Test("Remaking leaves alone what was deleted with its history, and takes archived photos from where they are")
    func remakeWithoutPhoto() async throws {
        try await drop([("a.png", photo), ("b.png", try PipelineFixture.photo(red: 150))])
        try await work(.archive)
        try await drop([("c.png", try PipelineFixture.photo(red: 180))])
        try await work(.delete)
        let archived = try files(fixture.folder["archive"]).keys.first { $0.hasSuffix("/b.png") }
        let today = Date.now.formatted(.iso8601.year().month().day()).replacing("-", with: "/")
        let path = try #require(archived).replacing("today", with: today)
        try FileManager.default.removeItem(atPath: fixture.folder["archive"].appending(path).string)
        let remake = try PhotoLibrary.requestRemake(in: fixture.library.folder, otherThan: nil)
        #expect(remake.files == 1)
        #expect(remake.unavailable == [.leftArchive: 1, .deleted: 1])
        try await work(.archive)
        #expect(try await fixture.count(.done) == 3)
        #expect(try fixture.published().filter { $0.key.hasSuffix(".png") }.count == 3)
    }

    @Test("The inbox takes what was moved here for no loss")
    func forgotten() async throws {
        try await drop([("a.png", photo), ("text.jpg", [1, 2, 3])])
        try await fixture.processing(originals: .archive) { try await fixture.drain($0) }
        try await fixture.library.forget([PipelineFixture.path("a.png"), PipelineFixture.path("text.jpg")])
        try await carryOut()
        #expect(try await fixture.count(.done) == 1)
        #expect(try await fixture.count(.failed) == 1)
        #expect(try await fixture.library.known(inFolder: nil).isEmpty)
    }

    @Test("A file that was replaced before its turn stays where it is")
    func replaced() async throws {
        try await drop([("a.png", photo)])
        try await fixture.processing(originals: .archive) { try await fixture.drain($0) }
        try FileManager.default.removeItem(atPath: fixture.folder["inbox/a.png"].string)
        try fixture.write(flat, to: "a.png")
        try await carryOut()
        #expect(try files(fixture.folder["inbox"]) == ["a.png": flat])
        #expect(try files(fixture.folder["archive"]).isEmpty)
    }

    /// Where a crash may come: after the intent, after the name was booked, after the move.
    @Test("A move that a crash interrupted is finished by the next start", arguments: 0...2)
    func crashed(steps: Int) async throws {
        try await drop([("a.png", photo)])
        try await fixture.processing(originals: .archive) { try await fixture.drain($0) }
        let target = fixture.folder["archive/today/a.png"]
        try make(target.removingLastComponent())
        let due = try #require(
            try await fixture.library.dueOriginals(notTriedSince: .distantFuture, limit: 1).first)
        if steps > 0 { #expect(try await fixture.library.book(target, for: due)) }
        if steps > 1 {
            try FileManager.default.moveItem(atPath: fixture.folder["inbox/a.png"].string, toPath: target.string)
        }
        try await carryOut()
        #expect(try files(fixture.folder["inbox"]).isEmpty)
        #expect(try files(fixture.folder["archive"]) == ["today/a.png": photo])
        #expect(try await fixture.library.dueOriginals(notTriedSince: .distantFuture, limit: 1).isEmpty)
    }

    @Test(
        "A removal that a crash interrupted is finished by the next start; what the Library does not know is put back",
        arguments: [true, false])
    func crashedAside(isKnown: Bool) async throws {
        try await drop([("Cats/a.png", photo)])
        try await fixture.processing(originals: .delete) { try await fixture.drain($0) }
        let due = try #require(
            try await fixture.library.dueOriginals(notTriedSince: .distantFuture, limit: 1).first)
        let name = isKnown ? due.asideName : AtomicFile.asideName("77-88")
        let aside = fixture.folder["inbox/Cats"].appending(String(decoding: name, as: UTF8.self))
        try FileManager.default.moveItem(atPath: fixture.folder["inbox/Cats/a.png"].string, toPath: aside.string)
        try await fixture.library.adopt(
            try FolderPlace(of: fixture.folder["inbox"]), at: fixture.folder["inbox"], renumbered: [], isAnother: false)
        let originals = try originals()
        async let end: Void = originals.run()
        let left = isKnown ? [:] : ["Cats/recovered-77-88": photo]
        #expect(try await eventually { try files(fixture.folder["inbox"]) == left })
        originals.stop()
        try await end
        #expect(try await fixture.library.dueOriginals(notTriedSince: .distantFuture, limit: 1).isEmpty)
    }

    @Test("A photo whose sticker is to be made again is not deleted meanwhile")
    func deleteWaits() async throws {
        try await drop([("a.png", photo)])
        try await fixture.processing(originals: .delete) { try await fixture.drain($0) }
        let made = try fixture.published()
        let sticker = try #require(made.keys.first { $0.hasSuffix(".png") })
        try FileManager.default.removeItem(atPath: fixture.folder["outbox"].appending(sticker).string)
        #expect(try await fixture.outbox.audit { _ in } == 1)
        try await carryOut()
        #expect(try files(fixture.folder["inbox"]) == ["a.png": photo])
        try await work(.delete)
        #expect(try fixture.published() == made)
        #expect(try files(fixture.folder["inbox"]).isEmpty)
        // Now it is gone for good: its story stays.
        try FileManager.default.removeItem(atPath: fixture.folder["outbox"].appending(sticker).string)
        #expect(try await fixture.outbox.audit { _ in } == 0)
        #expect(try await fixture.count(.done) == 1)
    }

    @Test("What is not at a mount point without its mount is not gone")
    func away() async throws {
        let inbox = fixture.folder["inbox"]
        let mounted = fixture.folder["mounted"]
        try await fixture.library.adopt(try FolderPlace(of: inbox), at: inbox, renumbered: [], isAnother: false)
        try await drop([("a.png", photo)])
        try await fixture.processing(originals: .archive) { try await fixture.drain($0) }
        try FileManager.default.moveItem(atPath: inbox.string, toPath: mounted.string)
        try make(inbox)
        try await carryOut()
        #expect(try await fixture.library.dueOriginals(notTriedSince: .distantFuture, limit: 1).count == 1)
        try FileManager.default.removeItem(atPath: inbox.string)
        try FileManager.default.moveItem(atPath: mounted.string, toPath: inbox.string)
        try await carryOut()
        #expect(try files(fixture.folder["archive"]) == ["today/a.png": photo])
    }

    @Test("What was set aside is put back by a retry even where nobody wrote down yet that it was moved")
    func retriedMeanwhile() async throws {
        try await drop([("text.jpg", [1, 2, 3])])
        try await fixture.processing(originals: .archive) { try await fixture.drain($0) }
        let due = try #require(
            try await fixture.library.dueOriginals(notTriedSince: .distantFuture, limit: 1).first)
        let target = fixture.folder["failed/text.jpg"]
        #expect(try await fixture.library.book(target, for: due))
        try FileManager.default.moveItem(atPath: fixture.folder["inbox/text.jpg"].string, toPath: target.string)
        let retry = try PhotoLibrary.requestRetry(in: fixture.library.folder, of: ["text.jpg"])
        #expect(retry.toPutBack.map(\.from) == [target])
        #expect(retry.waiting == 0)
        // Else the next start would move it out of the inbox once more.
        #expect(try await fixture.library.dueOriginals(notTriedSince: .distantFuture, limit: 1).isEmpty)
    }

    @Test("What cannot be moved waits, is told once, and is moved when it can be")
    func refused() async throws {
        try await drop([("a.png", photo), ("b.png", try PipelineFixture.photo(red: 150))])
        try await fixture.processing(originals: .archive) { try await fixture.drain($0) }
        try FileManager.default.removeItem(atPath: fixture.folder["archive"].string)
        try fixture.folder.write([1], to: "archive")
        let originals = try originals()
        async let end: Void = originals.run()
        #expect(try await eventually { fixture.log.said.contains { $0.contains("cannot be moved out") } })
        #expect(fixture.obstacles.reasons.count == 1)
        #expect(try files(fixture.folder["inbox"]).count == 2)
        try FileManager.default.removeItem(atPath: fixture.folder["archive"].string)
        try make(fixture.folder["archive"])
        #expect(try await eventually { try files(fixture.folder["inbox"]).isEmpty })
        #expect(try await eventually { fixture.obstacles.reasons.isEmpty })
        originals.stop()
        try await end
        #expect(fixture.log.said.filter { $0.contains("cannot be moved out") }.count == 1)
    }

    @Test(
        "Across file systems the copy is whole before the original goes; a crash in between leaves one of each",
        .enabled(if: hasTwoFileSystems), arguments: [false, true])
    func elsewhere(crashed: Bool) async throws {
        let archive = Self.elsewhere.appending("stickerd-test-\(UUID().uuidString)")
        try make(archive)
        defer { try? FileManager.default.removeItem(atPath: archive.string) }
        try await drop([("a.png", photo)])
        let source = fixture.folder["inbox/a.png"]
        let before = try FileStatus(of: source).identity
        try await fixture.processing(originals: .archive) { try await fixture.drain($0) }
        if crashed {
            let due = try #require(
                try await fixture.library.dueOriginals(notTriedSince: .distantFuture, limit: 1).first)
            try make(archive.appending("today"))
            _ = try await fixture.library.book(archive.appending("today/a.png"), for: due)
            // With its times, as the interrupted move did.
            try FileManager.default.copyItem(atPath: source.string, toPath: archive.appending("today/a.png").string)
            try Data([1]).write(to: URL(fileURLWithPath: archive.appending("today/.stickerd-1f.tmp").string))
        }
        try await carryOut(archive: archive)
        #expect(try files(fixture.folder["inbox"]).isEmpty)
        #expect(try files(archive) == ["today/a.png": photo])
        guard !crashed else { return }
        let path = try #require(try FileManager.default.subpathsOfDirectory(atPath: archive.string).last)
        #expect(try FileStatus(of: archive.appending(path)).identity.modified == before.modified)
    }
}

/// Does something whenever something is said.
private struct ReactingLog: LogHandler {
    let react: @Sendable () -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(_ react: @escaping @Sendable () -> Void) { self.react = react }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { react() }
}
