import Foundation
import LibraryCommands
import Outbox
import PackFacts
import PackLedger
import Packs
import PhotoLibrary
import PhotoRule
import Synchronization
import SystemPackage
import Testing
import TestSupport

@Suite("A Library that is older than its outbox", .timeLimit(.minutes(1)))
struct TakeOverTests {
    private let folder = TemporaryFolder()
    private static let sizes = PageSizes(maxUndivided: 6, maxStickers: 4)

    /// Opens the Library for `work` and, unless that is given up, closes it.
    private func live<Value>(_ work: (PipelineFixture, PackFixture) async throws -> Value) async throws -> Value {
        let fixture = try PipelineFixture(in: folder)
        let value = try await work(fixture, PackFixture(fixture))
        try fixture.library.close()
        return value
    }

    private func make(_ names: [String], _ packs: PackFixture) async throws {
        try await packs.make(names)
        try await packs.writing(pageSizes: Self.sizes)
    }

    private func listed(_ pack: String = "") throws -> [String] {
        try StoredIndex(in: folder["outbox"].appending(pack)).stickers.map { String($0.file.prefix(1)) }
    }

    private func removed() throws -> [String] { try #require(try index()).removed.map(\.file) }

    private func index() throws -> Pack? { try StoredIndex(in: folder["outbox"]).index }

    private func file(_ letter: String) throws -> String {
        try #require(try StoredIndex(in: folder["outbox"]).stickers.first { $0.file.hasPrefix(letter) }).file
    }

    private func name(_ sticker: String) -> Library.RemovalName {
        .init(sticker: sticker, photo: sticker, isPhoto: false)
    }

    private func remove(_ letter: String) throws {
        #expect(try Library.requestRemoval(in: folder["state"], of: [name(try file(letter))]).refused.isEmpty)
    }

    private func copyState(_ name: String, to copy: String) throws {
        if folder.exists(copy) { try folder.remove(copy) }
        try FileManager.default.copyItem(atPath: folder[name].string, toPath: folder[copy].string)
    }

    /// Takes the outbox over and writes all indexes. Returns the number of stickers taken over.
    private func takeOver() async throws -> Int {
        try await live { fixture, packs in
            let count = try await fixture.outbox.takeOver()
            #expect(try await fixture.outbox.takeOver() == 0)
            try await packs.writing(pageSizes: Self.sizes)
            return count
        }
    }

    @Test("An index that cannot be read is kept beside the next one")
    func damagedIndex() async throws {
        try await live { _, packs in try await make(["a.png", "b.png"], packs) }
        let half = try [UInt8](Data(contentsOf: URL(filePath: folder["outbox/pack.json"].string))).dropLast(40)
        try folder.write(Array(half), to: "outbox/pack.json")
        try folder.remove("state")
        try await live { fixture, packs in
            let copies = Mutex<[FilePath]>([])
            #expect(try await fixture.outbox.takeOver(damaged: { copy in copies.withLock { $0.append(copy) } }) == 0)
            try await packs.writing(pageSizes: Self.sizes)
            #expect(copies.withLock { $0 } == [folder["outbox/pack.damaged.json"]])
        }
        #expect(try listed() == [])
        #expect(try [UInt8](Data(contentsOf: URL(filePath: folder["outbox/pack.damaged.json"].string))) == Array(half))
    }

    @Test("An index that is a link, perhaps to a file that only the daemon may read, is not copied")
    func linkedIndex() async throws {
        try folder.write("secret", to: "secret.json")
        try folder.makeFolder("outbox/Other")
        for index in ["outbox/pack.json", "outbox/Other/pack.json"] {
            try folder.link(index, to: folder["secret.json"])
        }
        try await live { fixture, _ in
            let count = try await fixture.outbox.takeOver()
            #expect(count == 0)
        }
        for copy in ["outbox/pack.damaged.json", "outbox/Other/pack.damaged.json"] {
            #expect(!FileManager.default.fileExists(atPath: folder[copy].string))
        }
    }

    @Test("It takes over the stickers in their order, on pages too, the removals and the new packs")
    func older() async throws {
        try await live { try await make(["a.png", "b.png", "e.png"], $1) }
        try copyState("state", to: "backup")
        try remove("b")
        try await live { try await make(["f.png", "c.png", "g.png", "h.png", "d.png", "Dogs/x.png"], $1) }
        let revision = try #require(try index()).revision
        let before = (try listed(), try removed())
        #expect(before.0 == ["a", "e", "f", "c", "g", "h", "d"] && before.1.count == 1)
        try copyState("backup", to: "state")
        #expect(try await takeOver() == 8)
        #expect(try listed() == before.0)
        #expect(try removed() == before.1)
        #expect(try StoredIndex(in: folder["outbox"]).stickers.allSatisfy { $0.foundBy == "background" })
        #expect(try listed("Dogs") == ["x"])
        #expect(try #require(try index()).revision > revision)
        #expect(try StoredIndex(in: folder["outbox"]).unreadable.isEmpty)
    }

    @Test("The outbox's order holds, although the Library knows later stickers")
    func order() async throws {
        try await live { fixture, packs in
            for name in ["a.png", "b.png", "c.png"] { try await fixture.arrive(name) }
            let claims = try await fixture.library.claim(limit: 3)
            try await packs.finish(claims[0], photo: String(repeating: "a", count: 64))
            try await packs.finish(claims[2], photo: String(repeating: "c", count: 64))
            try await packs.writing()
            try copyState("state", to: "backup")
            try await packs.finish(claims[1], photo: String(repeating: "b", count: 64))
            try await packs.writing()
            try await packs.writing(as: "another revision")
        }
        #expect(try listed() == ["a", "b", "c"])
        // As after a copy while the daemon runs: the photo is in progress, and its sticker's name reserved.
        try copyState("backup", to: "state")
        #expect(try await takeOver() == 3)
        #expect(try listed() == ["a", "b", "c"])
    }

    @Test("After a crash before an index was recorded, nothing is taken over: what was withdrawn since stays withdrawn")
    func crashed() async throws {
        try await live { try await make(["a.png", "b.png"], $1) }
        try copyState("state", to: "unrecorded")
        try await live { try await make([], $1) }
        try remove("a")
        let removed = try file("a")
        try copyState("state", to: "later")
        // The next index lists neither the removal nor the sticker's absence.
        let text = try String(contentsOfFile: folder["outbox/pack.json"].string, encoding: .utf8)
        let revision = try #require(try index()).revision
        let next = text.replacing(#""revision":\#(revision)"#, with: #""revision":\#(revision + 1)"#)
        try folder.write(next, to: "outbox/pack.json")
        #expect(try await takeOver() == 0)
        #expect(try listed() == ["b"])
        #expect(try self.removed() == [removed])

        // The other way round: restored after the index that lists the removal.
        #expect(try Library.requestRestoration(in: folder["state"], of: [name(removed)]).refused.count <= 1)
        let last = try String(contentsOfFile: folder["outbox/pack.json"].string, encoding: .utf8)
        let number = try #require(try index()).revision
        try folder.write(
            Array(last.replacing(#""revision":\#(number)"#, with: #""revision":\#(number + 1)"#).utf8),
            to: "outbox/pack.json")
        #expect(try await takeOver() == 0)
        #expect(try self.removed().isEmpty)
    }

    @Test("A Library that is older by one index takes over its removal, and a sticker whose name was reserved")
    func olderByOne() async throws {
        try await live { fixture, packs in
            try await fixture.arrive("b.png")
            try await fixture.arrive("a.png")
            let claims = try await fixture.library.claim(limit: 2)
            try await packs.finish(claims[0], photo: String(repeating: "b", count: 64))
            try await packs.writing()
            let photo = String(repeating: "a", count: 64)
            _ = try await fixture.library.resolve(claims[1], photo: photo)
            _ = try await fixture.library.reserveName(
                forPhoto: photo, recipe: "r", candidates: ["a-aaaaaaaa.png"],
                thumbnail: { _ in nil }, claim: claims[1])
            try copyState("state", to: "backup")
            try await packs.finish(claims[1], photo: photo)
            try remove("b")
            try await packs.writing()
        }
        let gone = try removed()
        #expect(gone.count == 1)
        try copyState("backup", to: "state")
        #expect(try await takeOver() == 1)
        #expect(try listed() == ["a"])
        #expect(try removed() == gone)
        #expect(!folder.exists("outbox/\(gone[0])"))
    }

    @Test("An outbox that is older than its Library keeps what it has, and loses what was removed since")
    func newer() async throws {
        try await live { try await make(["a.png", "b.png", "c.png"], $1) }
        try copyState("outbox", to: "old outbox")
        try remove("b")
        let gone = try file("b")
        try await live { try await make(["d.png"], $1) }
        let revision = try #require(try index()).revision
        try copyState("old outbox", to: "outbox")
        #expect(folder.exists("outbox/\(gone)"))
        try await live { fixture, packs in
            #expect(try await fixture.outbox.takeOver() == 0)
            _ = try await fixture.outbox.audit { Issue.record($0) }
            try await packs.writing(pageSizes: Self.sizes)
        }
        #expect(try listed() == ["a", "c"])
        #expect(try removed() == [gone])
        #expect(!folder.exists("outbox/\(gone)"))
        #expect(try #require(try index()).revision > revision)
    }

    @Test("A photo that was waiting and has been archived since takes no sticker with it")
    func waiting() async throws {
        let photo = String(repeating: "a", count: 64)
        try await live { fixture, packs in
            try await fixture.arrive("a.png")
            let claim = try #require(try await fixture.library.claim(limit: 1).first)
            try await fixture.library.remember(recipe: "r", content: "{}")
            _ = try await fixture.library.resolve(claim, photo: photo)
            try copyState("state", to: "backup")
            try await packs.finish(claim, photo: photo)
            try await packs.writing()
        }
        try copyState("backup", to: "state")
        try await live { fixture, packs in
            fixture.library.adopt(.withdraw)
            _ = try await fixture.library.recover()
            #expect(try await fixture.outbox.takeOver() == 1)
            _ = try await fixture.library.forget([PipelineFixture.path("a.png")])
            try await packs.writing()
        }
        #expect(try listed() == ["a"])
    }

    @Test(
        "What no index of stickerd says is not taken over",
        arguments: [
            ("file", #""pack.json""#), ("file", #""index.html""#), ("file", #""../a.png""#), ("width", "-1"),
            ("width", "99999"), ("height", "0"), ("bytes", "-3"), ("bytes", "4"), ("confidence", "7"),
            ("id", #""sha256:\#(String(repeating: "A", count: 64))""#),
            ("id", #""sha256:\#(String(repeating: "1", count: 64))#99999999999999999999""#),
        ])
    func hostile(member: String, value: String) async throws {
        let fixture = try PipelineFixture(in: folder)
        for name in ["a-11111111.png", "index.html"] { try folder.write([1, 2, 3], to: "outbox/\(name)") }
        try fixture.writeIndex([PipelineFixture.listed(1, [member: value])])
        #expect(try await fixture.outbox.takeOver() == 0)
        #expect(try await fixture.library.stickerRecords(ofPack: "").isEmpty)
    }

    @Test(
        "An index in the folder of a pack cannot speak for another pack",
        arguments: ["", "Cats", "..", "a/b", "\\x", "a\n"])
    func otherPack(name: String) async throws {
        let fixture = try PipelineFixture(in: folder)
        _ = try await fixture.library.folder(ofPack: "Cats", candidates: ["Cats"])
        struct Pack: Encodable { let name, identifier, publisher: String }
        let pack = try JSONEncoder().encode(Pack(name: name, identifier: "", publisher: ""))
        try folder.write([1, 2, 3], to: "outbox/Dogs/a-11111111.png")
        try fixture.writeIndex([PipelineFixture.listed()], pack: String(decoding: pack, as: UTF8.self), folder: "Dogs")
        #expect(try await fixture.outbox.takeOver() == 0)
        for pack in ["", "Cats", name] { #expect(try await fixture.library.stickerRecords(ofPack: pack).isEmpty) }
    }
}
