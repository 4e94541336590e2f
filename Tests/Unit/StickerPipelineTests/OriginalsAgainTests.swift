import Conditions
import Foundation
import LibraryCommands
import LinuxIO
import Logging
import Outbox
import PhotoLibrary
import PhotoRule
import Processing
import SystemPackage
import Testing
import TestSupport

@Suite("Originals of photos to be remade", .timeLimit(.minutes(1)))
struct OriginalsAgainTests {
    private let originals = OriginalsFixture()
    private var fixture: PipelineFixture { originals.pipeline }
    private var photo: [UInt8] { originals.photo }

    @Test("A photo that is retried meanwhile stays in the inbox")
    func cancelled() async throws {
        try await originals.drop([("a.png", photo), ("text.jpg", PipelineFixture.noPhoto)])
        try await originals.process(.archive)
        // Moving the first of the batch fails and is logged; the second has already been fetched.
        try fixture.folder.remove("archive")
        try fixture.folder.write([1], to: "archive")
        let state = fixture.library.folder
        let mover = try originals.originals(
            logger: Logger(label: "test") { _ in
                RecordedLog { _ = try? Library.requestRetry(in: state, of: ["text.jpg"]) }
            })
        mover.stop()
        try await mover.run()
        #expect(try Set(originals.files(fixture.folder["inbox"]).keys) == ["a.png", "text.jpg"])
        #expect(try originals.files(fixture.folder["failed"]).isEmpty)
        #expect(try await fixture.count(.pending) == 1)
    }

    @Test("An archived photo is recognized when it comes in again, and makes no second sticker")
    func again() async throws {
        try await originals.drop([("a.png", photo)])
        try await originals.work(.archive)
        try await originals.drop([("a.png", photo), ("b.png", photo)])
        try await originals.work(.archive)
        #expect(try fixture.published().count == 1)
        #expect(try await fixture.count(.done) == 1)
        #expect(try await fixture.count(.duplicate) == 1)
        #expect(
            try Set(originals.files(fixture.folder["archive"]).keys) == ["today/a.png", "today/a-2.png", "today/b.png"])
    }

    @Test("A photo in the archive waits while the archive's disk is missing; others do not", arguments: [false, true])
    func archiveAway(isMountPointLeft: Bool) async throws {
        try await originals.drop([("a.png", photo), ("b.png", try PipelineFixture.photo(red: 150))])
        try await originals.work(.archive)
        let disk = DirectoryIdentity(device: 1, inode: 2, fileSystem: 3)
        try await fixture.library.rememberReceiver(fixture.folder["archive"], at: disk)
        for sticker in try fixture.published().keys where sticker.hasSuffix(".png") {
            try fixture.folder.remove("outbox/\(sticker)")
        }
        try fixture.folder.rename("archive", to: "disk")
        if isMountPointLeft { try originals.make(fixture.folder["archive"]) }
        #expect(try await fixture.outbox.audit { _ in }.remade == 2)
        try await originals.drop([("c.png", try PipelineFixture.photo(red: 180))])
        try await fixture.processing(originals: .archive) { processor in
            try await fixture.until { try await fixture.count(.done) == 1 }
            let reasons = fixture.conditions.reasons
            #expect(reasons.count == 1 && reasons.first?.contains("mount that disk or restore the folder") == true)
            #expect(try await fixture.count(.failed) == 0)
            if isMountPointLeft { try fixture.folder.remove("archive") }
            try fixture.folder.rename("disk", to: "archive")
            try await fixture.drain(processor)
        }
        #expect(try await fixture.count(.done) == 3)
        #expect(fixture.conditions.reasons == [])
        #expect(fixture.log.said.contains { $0.contains(Condition.receiverAway.beginning) })
        #expect(fixture.log.said.filter { $0.contains(Condition.receiverAway.end) }.count == 1)
    }

    @Test("A copy in the inbox is archived, too, when a restored sticker is made from the archive")
    func restore() async throws {
        try await originals.drop([("a.png", photo)])
        try await originals.work(.archive)
        try await originals.drop([("b.png", photo)])
        try await originals.process(.archive)
        let name = Library.RemovalName(sticker: "a.png", photo: "a.png", isPhoto: true)
        #expect(try Library.requestRemoval(in: fixture.library.folder, of: [name]).stickers == 1)
        try await originals.carryOut()
        #expect(try originals.files(fixture.folder["inbox"]) == ["b.png": photo])
        _ = try Library.requestRestoration(in: fixture.library.folder, of: [name])
        try await originals.work(.archive)
        #expect(try await fixture.count(.done) == 1)
        #expect(try originals.files(fixture.folder["archive"]) == ["today/a.png": photo, "today/b.png": photo])
    }

    @Test("remake keeps the stickers of deleted photos, and reads archived photos in the archive")
    func remakeWithoutPhoto() async throws {
        try await originals.drop([("a.png", photo), ("b.png", try PipelineFixture.photo(red: 150))])
        try await originals.work(.archive)
        try await originals.drop([("c.png", try PipelineFixture.photo(red: 180))])
        try await originals.work(.delete)
        let archive = fixture.folder["archive"]
        let archived = try FileManager.default.subpathsOfDirectory(atPath: archive.string)
            .first { $0.hasSuffix("/b.png") }
        try FileManager.default.removeItem(atPath: archive.appending(try #require(archived)).string)
        let remake = try Library.requestRemake(in: fixture.library.folder, otherThan: nil)
        #expect(remake.photos == 1)
        #expect(
            remake.notes == [
                "1 skipped: photo deleted (originals.mode)",
                "1 skipped: photo gone from the folder it was moved to, or changed there",
            ])
        try await originals.work(.archive)
        #expect(try await fixture.count(.done) == 3)
        #expect(try fixture.published().filter { $0.key.hasSuffix(".png") }.count == 3)
    }

    @Test("The sticker of a photo in the archive is remade although another one came with its name")
    func remakeAfterSameName() async throws {
        for red: UInt8 in [150, 180] {
            try await originals.drop([("a.png", try PipelineFixture.photo(red: red))])
            try await originals.work(.archive)
        }
        let stickers = try fixture.published().keys.filter { $0.hasSuffix(".png") }
        for sticker in stickers { try fixture.folder.remove("outbox/\(sticker)") }
        #expect(try await fixture.outbox.audit { _ in }.remade == 2)
        try fixture.folder.write("no photo", to: "inbox/a.png")
        try await originals.work(.archive)
        #expect(try Set(fixture.published().keys).isSuperset(of: stickers) && stickers.count == 2)
        let remake = try Library.requestRemake(in: fixture.library.folder, otherThan: nil)
        #expect(remake.photos == 2 && remake.notes.isEmpty)
    }

    @Test("Failed photos are retried although others came with their names")
    func retryAfterSameName() async throws {
        for end: UInt8 in [1, 2] {
            try await originals.drop([("text.jpg", PipelineFixture.noPhoto + [end])])
            try await originals.work(.archive)
        }
        let targets = ["text.jpg", "text-2.jpg"].map { fixture.folder["failed"].appending($0) }
        for target in targets {
            let retry = try Library.requestRetry(in: fixture.library.folder, of: [target.string])
            #expect(retry.toPutBack.map(\.from) == [target] && retry.refused.isEmpty)
        }
        #expect(try Library.requestRetry(in: fixture.library.folder, of: nil).toPutBack.map(\.from) == targets)
        let failures = try LibraryReport(of: fixture.library.folder).failures.map(\.path)
        #expect(failures.map { "\($0)" } == [targets[0].string, "text.jpg"])
    }

    @Test("A photo that is gone from the archive when its sticker is to be remade fails, until it is back")
    func gone() async throws {
        try await originals.drop([("a.png", photo)])
        try await originals.work(.archive)
        try fixture.folder.rename("archive", to: "away")
        try originals.make(fixture.folder["archive"])
        let made = try fixture.published()
        for sticker in made.keys { try fixture.folder.remove("outbox/\(sticker)") }
        #expect(try await fixture.outbox.audit { _ in }.remade == 1)
        try await originals.process(.archive)
        #expect(try await fixture.count(.failed) == 1)
        #expect(fixture.log.said.filter { $0.contains("Cannot make a sticker") }.count == 1)
        // Both are back. The next loss looks for the photo again.
        try fixture.folder.remove("archive")
        try fixture.folder.rename("away", to: "archive")
        for (sticker, bytes) in made { try fixture.folder.write(bytes, to: "outbox/\(sticker)") }
        #expect(try await fixture.outbox.audit { _ in }.remade == 0)
        #expect(try await fixture.library.status().stickers == 1)
        for sticker in made.keys { try fixture.folder.remove("outbox/\(sticker)") }
        #expect(try await fixture.outbox.audit { _ in }.remade == 1)
        try await originals.process(.archive)
        #expect(try fixture.published() == made)
    }

    @Test("A photo whose sticker is to be remade is not deleted meanwhile")
    func deleteWaits() async throws {
        try await originals.drop([("a.png", photo)])
        try await originals.process(.delete)
        let made = try fixture.published()
        let sticker = try #require(made.keys.first { $0.hasSuffix(".png") })
        try fixture.folder.remove("outbox/\(sticker)")
        #expect(try await fixture.outbox.audit { _ in }.remade == 1)
        try await originals.carryOut()
        #expect(try originals.files(fixture.folder["inbox"]) == ["a.png": photo])
        try await originals.work(.delete)
        #expect(try fixture.published() == made)
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty)
        // The photo was removed permanently; its record stays.
        try fixture.folder.remove("outbox/\(sticker)")
        #expect(try await fixture.outbox.audit { _ in }.remade == 0)
        #expect(try await fixture.count(.done) == 1)
    }

    @Test("A retry returns a photo from the failed folder even if its move was not recorded yet")
    func retriedMeanwhile() async throws {
        try await originals.drop([("text.jpg", PipelineFixture.noPhoto)])
        try await originals.process(.archive)
        let due = try #require(try await fixture.library.dueOriginals(in: .max, limit: 1).first)
        let target = fixture.folder["failed/text.jpg"]
        #expect(try await fixture.library.recordTarget(target, for: due))
        try FileManager.default.moveItem(atPath: fixture.folder["inbox/text.jpg"].string, toPath: target.string)
        let retry = try Library.requestRetry(in: fixture.library.folder, of: ["text.jpg"])
        #expect(retry.toPutBack.map(\.from) == [target])
        #expect(retry.photos == 0)
        // Otherwise the next start would move it out of the inbox again.
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 1).isEmpty)
    }
}

/// A sticker whose file is not as it was published.
@Suite("Originals with a damaged or missing sticker", .timeLimit(.minutes(1)))
struct DamagedStickerTests {
    private let originals = OriginalsFixture()
    private var fixture: PipelineFixture { originals.pipeline }

    /// What another program did to the sticker.
    enum Damage: CaseIterable {
        case missing, emptied, changed, replacedByLink
    }

    private func damage(_ damage: Damage, _ made: [String: [UInt8]]) throws {
        let (name, bytes) = try #require(made.first { $0.key.hasSuffix(".png") })
        switch damage {
        case .missing: try fixture.folder.remove("outbox/\(name)")
        case .emptied: try fixture.folder.write([], to: "outbox/\(name)")
        case .changed: try fixture.folder.write(bytes.dropLast() + [0], to: "outbox/\(name)")
        case .replacedByLink:
            try fixture.folder.remove("outbox/\(name)")
            try fixture.folder.link("outbox/\(name)", to: "/dev/null")
        }
    }

    @Test(
        "It is remade before its photo is deleted or archived", arguments: [OriginalsMode.delete, .archive],
        Damage.allCases)
    func due(mode: OriginalsMode, how: Damage) async throws {
        try await originals.drop([("a.png", originals.photo)])
        try await originals.process(mode)
        let made = try fixture.published()
        try damage(how, made)
        try await originals.carryOut()
        #expect(try originals.files(fixture.folder["inbox"]) == ["a.png": originals.photo])
        #expect(try await fixture.count(.pending) == 1)
        try await originals.work(mode)
        #expect(try fixture.published() == made)
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty)
    }

    @Test("It is remade if its photo comes in again", arguments: ["a.png", "b.png"], [Damage.missing, .emptied])
    func again(name: String, how: Damage) async throws {
        try await originals.drop([("a.png", originals.photo)])
        try await originals.work(.delete)
        let made = try fixture.published()
        try damage(how, made)
        try await originals.drop([(name, originals.photo)])
        try await originals.work(.delete)
        #expect(try fixture.published() == made)
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty)
        #expect(try await fixture.count(.done) == 1)
    }
}
