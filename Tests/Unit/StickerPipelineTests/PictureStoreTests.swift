import Foundation
import LinuxIO
import PackFacts
import StickerStudio
import SystemPackage
import Testing
import TestSupport

@testable import Exports
@testable import PackExports

@Suite("Pictures of exports", .timeLimit(.minutes(1)))
struct PictureStoreTests {
    private let fixture = ExportFixture()
    private let picture = ExportPicture(of: Self.sticker("s0.png"), ExportFixture.form)
    private let pictures = ["s0.png", "s1.png"].map { ExportPicture(of: Self.sticker($0), ExportFixture.form) }

    init() throws { try fixture.folder.makeFolder("store") }

    @Test("A picture is made once, whatever number of exports and runs ask for it")
    func once() async throws {
        let store = try store()
        #expect(try await store.make([picture, picture]).refused.isEmpty)
        #expect(try await store.make([picture]).refused.isEmpty)
        #expect(try await self.store().make([picture]).refused.isEmpty)
        #expect(fixture.maker.made == 1)
        let digest = try ContentDigest.sha256(of: Array("contents of s0.png".utf8)).hex
        let name = "\(digest.prefix(32))-\(ExportFixture.form.identifierOfAnySize)"
        #expect(try fixture.folder.names(in: "store") == [name])
    }

    @Test("Archives do not read a picture again that was just made")
    func fresh() async throws {
        let store = try store()
        _ = try await store.make([picture])
        for name in try fixture.folder.names(in: "store") { try fixture.folder.remove("store/\(name)") }
        #expect(try store.contents(of: picture).count == store.size(of: picture))
    }

    @Test("Exports that allow files of different sizes share a picture if it is small enough", arguments: [40_000, 10])
    func limits(other: Int) async throws {
        let form = ExportFixture.form
        let pictures = [form.maxBytes, other].map { maxBytes in
            ExportPicture(
                of: Self.sticker("s0.png"),
                PictureForm(
                    width: form.width, height: form.height, fit: form.fit, format: form.format, maxBytes: maxBytes))
        }
        let store = try store()
        let missing = try await store.make(pictures)
        #expect(missing.refused.count == (other == 10 ? 1 : 0) && fixture.maker.asked == (other == 10 ? 3 : 1))
        #expect(store.stored[pictures[1]]?.name == (other == 10 ? nil : store.stored[pictures[0]]?.name))
    }

    @Test("A picture that was reduced for one export is not another's, whichever is first", arguments: [false, true])
    func reduced(isReversed: Bool) async throws {
        fixture.maker.enlarge("contents of s0.png", to: 900)
        let sizes = isReversed ? [1000, 500] : [500, 1000]
        for maxBytes in sizes {
            let form = PictureForm(width: 64, height: 64, format: .png, maxBytes: maxBytes)
            let picture = ExportPicture(of: Self.sticker("s0.png"), form)
            let store = try store()
            #expect(try await store.make([picture]).refused.isEmpty)
            #expect(store.size(of: picture) == min(maxBytes, 900))
        }
    }

    @Test("Stickers that do not fill their pictures are known with their longer sides")
    func small() async throws {
        let stickers = [30, 60, 61, 512].map { Self.sticker("s\($0 % 3).png", side: $0) }
        let store = try store()
        _ = try await store.make(stickers.map { ExportPicture(of: $0, ExportFixture.form) })
        #expect(store.small.sides == ["s0.png": 60] && store.small.room == 64)
    }

    @Test("Without limits.minFreeBytes, pictures are not expected to be as large as they may be")
    func noReserve() async throws {
        let form = PictureForm(width: 64, height: 64, format: .png, maxBytes: 1 << 60)
        #expect(try await store().make([ExportPicture(of: Self.sticker("s0.png"), form)]).refused.isEmpty)
    }

    @Test("Exports share the picture of a sticker that fits into the margins of both", arguments: [480, 481])
    func margins(side: Int) async throws {
        let sticker = Self.sticker("s0.png", side: side)
        let pictures = [SignalExport.picture, MatrixExport.form, WhatsAppExport.picture].map {
            ExportPicture(of: sticker, $0)
        }
        let store = try store()
        #expect(try await store.make(pictures).refused.isEmpty)
        #expect(fixture.maker.asked == (side == 480 ? 1 : 2))
        #expect(Set(pictures.compactMap { store.stored[$0]?.name }).count == fixture.maker.asked)
    }

    @Test("Stickers with the same contents share a picture")
    func shared() async throws {
        try fixture.folder.write("contents of s0.png", to: "pack/s1.png")
        let store = try store()
        #expect(try await store.make(pictures).refused.isEmpty)
        #expect(fixture.maker.made == 1)
        #expect(store.stored[pictures[0]]?.name == store.stored[pictures[1]]?.name)
    }

    @Test("Pictures that no export uses are removed, and files of others stay")
    func unused() async throws {
        _ = try await store().make(pictures)
        try fixture.folder.write([1], to: "store/mine.txt")
        let store = try store()
        _ = try await store.make([pictures[0]])
        try store.removeUnused()
        let kept = try #require(store.stored[pictures[0]]?.name)
        #expect(try fixture.folder.names(in: "store") == [kept, "mine.txt"].sorted())
    }

    @Test("What cannot be made is not tried again until that is asked for")
    func refused() async throws {
        fixture.maker.refuse("contents of s0.png")
        #expect(try await store().make([picture]).refused == [picture.sticker: "it is empty"])
        fixture.maker.allowAll()
        #expect(try await store().make([picture]).refused == [picture.sticker: "it is empty"])
        fixture.memory.forgetRefusals()
        #expect(try await store().make([picture]).refused.isEmpty)
    }

    @Test("A missing sticker, a link in its place and a picture that is too large are left out", arguments: 0..<3)
    func strange(_ kind: Int) async throws {
        var form = ExportFixture.form
        if kind < 2 { try fixture.folder.remove("pack/s0.png") }
        if kind == 1 { try fixture.folder.link("pack/s0.png", to: fixture.folder["pack/s1.png"]) }
        if kind == 2 { form = PictureForm(width: 64, height: 64, format: .png, maxBytes: 10) }
        let pictures = ["s0.png", "s1.png"].map { ExportPicture(of: Self.sticker($0), form) }
        let missing = try await store().make(kind == 2 ? [pictures[0]] : pictures)
        #expect(missing.refused.keys.map(\.file) == ["s0.png"])
        #expect(missing.isTemporary == (kind < 2))
    }

    @Test("A sticker that the disk refuses costs only itself, and is tried again a limited number of times")
    func unreadable() async throws {
        // Address 0 of a process is not mapped: reading the file fails with EIO.
        let pictures = ["mem", "comm"].map { ExportPicture(of: Self.sticker($0), ExportFixture.form) }
        for count in 1...PictureMemory.maxTries {
            let store = try store(of: "/proc/self")
            let missing = try await store.make(pictures)
            #expect(missing.refused.keys.map(\.file) == ["mem"] && store.stored[pictures[1]] != nil)
            #expect(missing.isTemporary == (count < PictureMemory.maxTries))
            // Another export in the same pass.
            #expect(try await store.make(pictures).isTemporary == missing.isTemporary)
        }
    }

    @Test("A disk that refuses every sticker costs none: exports stay as they are")
    func failingDisk() async throws {
        let picture = ExportPicture(of: Self.sticker("mem"), ExportFixture.form)
        let store = try store(of: "/proc/self")
        let error = await #expect(throws: ExportTrouble.self) { try await store.make([picture]) }
        #expect(error?.kind == .refused(.ioError))
    }

    @Test("A picture at which workers are killed is tried a limited number of times, then left out with the reason")
    func killed() async throws {
        fixture.maker.kill("contents of s0.png", times: 1)
        let first = try await store().make(pictures)
        #expect(first.refused == [pictures[0].sticker: "its worker was killed"] && first.isTemporary)
        #expect(try await store().make(pictures).refused.isEmpty)
        fixture.maker.kill("contents of s2.png", times: .max)
        let other = ExportPicture(of: Self.sticker("s2.png"), ExportFixture.form)
        for count in 1...PictureMemory.maxTries + 3 {
            let missing = try await store().make([other])
            #expect(missing.refused == [other.sticker: "its worker was killed"])
            #expect(missing.isTemporary == (count < PictureMemory.maxTries))
        }
        #expect(fixture.maker.asked == 3 + PictureMemory.maxTries)
        fixture.memory.forgetRefusals()
        fixture.maker.kill("contents of s2.png", times: 0)
        #expect(try await store().make([other]).refused.isEmpty)
    }

    @Test("Where files cannot be linked they are copied, and not copied again")
    func copied() async throws {
        let other = FilePath("/dev/shm/stickerd-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: other.string, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: other.string) }
        try #require(
            try FileStatus(of: other).identity.device != FileStatus(of: fixture.folder.path).identity.device,
            "needs two file systems")
        let store = try store(at: other)
        _ = try await store.make([picture])
        let writer = ExportWriter(
            folder: try OpenFolder.opened(at: fixture.folder["out"]), rows: nil,
            room: ExportRoom(folder: fixture.folder.path, minFreeBytes: 0), isStopping: { false })
        let plan = ExportPlan(files: [ExportFile("a/b.png", .picture(picture))])
        let first = try await writer.write(plan, from: store)
        let size = store.size(of: picture)
        #expect(first == ExportWriter.Summary(written: 1, bytes: size, removed: 0, sizes: ["a/b.png": size]))
        let copy = try FileStatus(of: fixture.folder["out/a/b.png"]).identity
        #expect(copy.modified == store.stored[picture]?.identity.modified)
        #expect(try await writer.write(plan, from: store) == ExportWriter.Summary(sizes: ["a/b.png": size]))
        #expect(try FileStatus(of: fixture.folder["out/a/b.png"]).identity == copy)
        #expect(fixture.contents("out/a/b.png") == (try String(decoding: store.contents(of: picture), as: UTF8.self)))
    }

    private func store(at path: FilePath? = nil, of pack: FilePath? = nil) throws -> PictureStore {
        PictureStore(
            in: try OpenFolder.opened(at: path ?? fixture.folder["store"]),
            stickers: try OpenFolder.opened(at: pack ?? fixture.folder["pack"]), maker: fixture.maker,
            memory: fixture.memory, places: 2, room: ExportRoom(folder: fixture.folder.path, minFreeBytes: 0),
            isStopping: { false })
    }

    private static func sticker(_ file: String, side: Int = 512) -> PackEntry {
        PackEntry(id: file, name: file, file: file, width: side, height: side, bytes: 1)
    }
}
