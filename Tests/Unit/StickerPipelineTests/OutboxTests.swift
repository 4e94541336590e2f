import FileNames
import OutboxLayout
import Foundation
import LinuxIO
import Outbox
import PackLedger
import PhotoLibrary
import SystemPackage
import Testing
import TestSupport

@Suite("The outbox")
struct OutboxTests {
    private let fixture = PipelineFixture()

    /// Finishes a file with a sticker in the outbox, without a worker.
    private func finish(_ name: String, photo: String) async throws {
        let claim = try #require(
            try await fixture.library.claim(limit: 1).first { $0.path == PipelineFixture.path(name) })
        try await PackFixture(fixture).finish(claim, photo: photo)
    }

    @Test("Any number of packs whose names become the same get folders, without trying all numbers for each")
    func many() async throws {
        var folders: Set<String> = []
        for count in 1...1_100 {
            let pack = String(repeating: "!", count: count) + "Cats"
            let candidates = try OutboxName.packFolders(for: pack)
            #expect(candidates.count < 15)
            folders.insert(try #require(try await fixture.library.folder(ofPack: pack, candidates: candidates)))
        }
        #expect(folders.count == 1_100)
        #expect(folders.isSuperset(of: ["Cats", "Cats-2", "Cats-9"]))
    }

    @Test("A failed write throws an error with its cause and leaves no file")
    func refused() async throws {
        try fixture.folder.write([], to: "outbox/a.png/inside")
        let error = await #expect(throws: OutboxError.self) {
            try await fixture.outbox.publish([1], named: "a.png", inPack: "")
        }
        #expect(error?.cause == .isDirectory)
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder["outbox"].string)
        #expect(Set(names) == ["a.png", ".stickerd"])
    }

    @Test("The audit removes temporary files, and nothing else")
    func leftovers() async throws {
        for name in [".stickerd-1f.tmp", "pack.json", ".htaccess", "notes.tmp"] {
            try fixture.folder.write([1], to: "outbox/\(name)")
        }
        _ = try await fixture.outbox.audit { Issue.record($0) }
        #expect(Set(try fixture.published().keys) == ["pack.json", ".htaccess", "notes.tmp"])
    }

    @Test("A sticker is remade from a copy of its photo if the first file is gone")
    func remakeFromDuplicate() async throws {
        try await fixture.arrive("a.png", "copy.png")
        try await finish("a.png", photo: "aaaaaaaaa")
        let copy = try #require(try await fixture.library.claim(limit: 1).first)
        _ = try await fixture.library.resolve(copy, photo: "aaaaaaaaa")
        try await fixture.library.finish(copy, as: .upToDate())
        try fixture.folder.remove("outbox/a-aaaaaaaa.png")
        #expect(try await audit() == 1)
        let first = try #require(try await fixture.library.claim(limit: 9).first)
        #expect(first.path.description == "a.png")
        try await fixture.library.abandon(first)
        #expect(try await fixture.library.claim(limit: 9).map(\.path.description) == ["copy.png"])
    }

    private func sticker() async throws -> StickerRecord {
        try #require(try await fixture.library.stickerRecords(ofPhoto: "aaaaaaaaa", inPack: "").first)
    }

    private func audit() async throws -> Int { try await fixture.outbox.audit { Issue.record($0) }.remade }

    @Test("A sticker that was changed in place is remade, three times at most")
    func changed() async throws {
        try await fixture.arrive("a.png")
        try await finish("a.png", photo: "aaaaaaaaa")
        for round in 1...4 {
            try fixture.folder.write("changed\(round)", to: "outbox/a-aaaaaaaa.png")
            #expect(try await audit() == (round < 4 ? 1 : 0))
            let claims = try await fixture.library.claim(limit: 9)
            #expect(claims.count == (round < 4 ? 1 : 0))
            for claim in claims { try await PackFixture(fixture).finish(claim, photo: "aaaaaaaaa") }
        }
        #expect(try await sticker().file == "a-aaaaaaaa.png")
    }

    @Test("A sticker with another time but its own bytes is not remade, and not read again")
    func touched() async throws {
        try await fixture.arrive("a.png")
        try await finish("a.png", photo: "aaaaaaaaa")
        try fixture.folder.write("aaaaaaaaa", to: "outbox/a-aaaaaaaa.png")
        #expect(try await audit() == 0)
        #expect(
            try await sticker().modified == FileStatus(of: fixture.folder["outbox/a-aaaaaaaa.png"]).identity.modified)
    }

    @Test("A pack whose folder cannot be read is reported, and the audit continues with other packs")
    func blockedAudit() async throws {
        try await fixture.arrive("Cats/a.png", "b.png")
        try await finish("Cats/a.png", photo: "aaaaaaaaa")
        try await finish("b.png", photo: "bbbbbbbbb")
        try fixture.folder.remove("outbox/Cats")
        try fixture.folder.remove("outbox/b-bbbbbbbb.png")
        try fixture.folder.write([1], to: "outbox/Cats")
        var reported: [Errno?] = []
        #expect(try await fixture.outbox.audit { reported.append($0.cause) }.remade == 1)
        #expect(reported == [.notDirectory])
    }
}
