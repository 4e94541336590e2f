import Foundation
import LinuxIO
import PhotoFacts
import PhotoLibrary
import SystemPackage
import Testing
import TestSupport

@testable import Archives
@testable import Packs

@Suite("A pack's ZIP", .timeLimit(.minutes(1)))
struct PackArchiveTests {
    private let fixture = PipelineFixture()

    private func bytes(_ name: String) -> [UInt8] { Array(repeating: UInt8(name.utf8.first ?? 0), count: 5000) }

    private func sticker(_ name: String, _ bytes: [UInt8]? = nil) throws -> StickerRecord {
        let bytes = bytes ?? self.bytes(name)
        try fixture.folder.write(bytes, to: "outbox/\(name)")
        return StickerRecord(
            StickerFacts(width: 1, height: 1, confidence: 1), pack: "", photo: name, file: name, bytes: bytes.count,
            sha256: try ContentDigest.sha256(of: bytes).hex, recipe: "r",
            added: Date(timeIntervalSince1970: 1_000_000_001))
    }

    private func remove(_ names: String...) throws {
        for name in names { try fixture.folder.remove("outbox/\(name)") }
    }

    private func publish(
        _ stickers: [StickerRecord], reusing former: FileStamp? = nil
    ) async throws -> FileStamp? {
        let archive = try PackArchive(stickers, limit: 1 << 20)
        guard case .written(let stamp) = try await fixture.outbox.publish(archive, inPack: "", reusing: former) else {
            return nil
        }
        return stamp
    }

    private func file() throws -> [UInt8] { try #require(try fixture.published()["stickers.zip"]) }

    @Test("One more sticker reads only its own file, and gives the same bytes as a ZIP from scratch")
    func oneMore() async throws {
        let stickers = try ["a", "b", "c"].map { try sticker($0) }
        let first = try #require(try await publish(Array(stickers[..<2])))
        try remove("a", "b")
        #expect(try await publish(stickers) == nil, "from scratch, all files are needed")
        let second = try #require(try await publish(stickers, reusing: first))
        let extended = try file()
        // The time of the first sticker (APPNOTE.TXT, 4.4.6), not of the ZIP.
        #expect(extended[10..<14] == [0xD4, 0x0D, 0x29, 0x2B])
        _ = try ["a", "b"].map { try sticker($0) }
        #expect(try await publish(stickers) != nil)
        #expect(try file() == extended)
        #expect(Int(second.bytes) == extended.count)
    }

    @Test("Stickers that were removed, remade or inserted are replaced, and others are copied")
    func changed() async throws {
        let stickers = try ["a", "b", "c", "d", "e"].map { try sticker($0) }
        let first = try #require(try await publish(stickers))
        try remove("a", "c", "d", "e")
        let (new, remade) = (try sticker("n"), try sticker("d", [1, 2, 3]))
        let after = [stickers[0], stickers[2], new, remade, stickers[4]]
        #expect(try await publish(after, reusing: first) != nil)
        let reused = try file()
        _ = try ["a", "c", "e"].map { try sticker($0) }
        #expect(try await publish(after) != nil)
        #expect(try file() == reused)
    }

    @Test("Nothing is copied from a ZIP that another program changed, replaced or removed")
    func foreign() async throws {
        let stickers = try ["a", "b"].map { try sticker($0) }
        let path = fixture.folder["outbox/stickers.zip"].string
        let first = try #require(try await publish([stickers[0]]))
        var changed = try file()
        changed[100] ^= 1
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.write(contentsOf: Data(changed))
        try handle.close()
        try remove("a")
        #expect(try await publish(stickers, reusing: first) == nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(try await publish(stickers, reusing: first) == nil)
        try fixture.folder.write(changed, to: "outbox/stickers.zip")
        #expect(try await publish(stickers, reusing: first) == nil)
        _ = try sticker("a")
        #expect(try await publish(stickers, reusing: first) != nil)
    }

    @Test(
        "The newest stickers fit and use at least half of the limit, and the oldest of them rarely changes",
        arguments: [1, 7, 100, 5000])
    func newest(fitting: Int) {
        let (bytes, size) = (1000, 1000 + PackArchive.overhead)
        var starts: Set<Int> = []
        for count in fitting + 1...4 * fitting + 100 {
            let skipped = PackArchive.skipped(count: count, bytes: count * bytes, limit: fitting * size)
            #expect(count - skipped <= fitting)
            #expect(2 * (count - skipped) >= fitting)
            starts.insert(skipped)
        }
        #expect(starts.count <= (3 * fitting + 100) / max(fitting / 8, 1) + 1)
        #expect(PackArchive.skipped(count: fitting, bytes: fitting * bytes, limit: fitting * size) == 0)
        #expect(PackArchive.skipped(count: 9, bytes: 900, limit: 10) == 9)
        #expect(PackArchive.skipped(count: 100_000, bytes: 100_000, limit: 1 << 30) >= 100_000 - StoredZip.maxEntries)
        #expect(PackArchive.skipped(count: 0, bytes: 0, limit: 0) == 0)
    }

    @Test("A file that is not a ZIP of stickerd has no entries")
    func hostile() throws {
        var zip = StoredZip(comment: "abcd")
        let entry = zip.entry(named: "a", [1, 2, 3], sha256: String(repeating: "5e", count: 32), modified: .now)
        let good = entry + zip.end()
        func entries(_ bytes: [UInt8]) throws -> [StoredZip.Entry]? {
            try fixture.folder.write(bytes, to: "a.zip")
            let file = try OwnedDescriptor(opening: fixture.folder["a.zip"])
            return try StoredZip.entries(of: file, size: bytes.count, commentLength: 4)
        }
        let found = try #require(try entries(good))
        #expect(found.map(\.length) == [entry.count])
        #expect(found.map(\.key) == [StoredZip.key(ofFile: "a", sha256: String(repeating: "5e", count: 32))])
        for place in entry.count..<good.count - 4 {
            for value in [UInt8(0), 0x7f, 0xff] {
                var bytes = good
                bytes[place] = value
                // Never a range outside the file.
                for entry in try entries(bytes) ?? [] { #expect(entry.offset + entry.length <= good.count) }
            }
        }
        for count in 0..<good.count { #expect(try entries(Array(good[..<count])) == nil) }
    }
}
