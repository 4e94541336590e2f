import Foundation
import GRDB
import Glibc
import LinuxIO
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("The cost of one more sticker", .timeLimit(.minutes(5 * Sanitizer.slowdown)))
struct PackCostTests {
    /// The index's bytes that one more sticker writes, at most: a full page, the next, and the list of pages. The photos
    /// have no colors, so that the test is quicker; with them, an entry is seven times as long.
    private static let maxBytes = 120_000
    /// The same with a gallery: its page, and the scripts of these pages.
    private static let maxBytesWithGallery = 230_000
    /// The same with five colors a photo and of its subject, as by default.
    private static let maxBytesWithColors = 450_000
    /// A debug build takes two minutes to write the first index of 100,000 stickers; the release build's tests have them.
    #if DEBUG
    private static let largest = 5_000
    #else
    private static let largest = 100_000
    #endif
    /// As many colors as a photo has.
    private static let colors = (0..<24).map { number in
        String(format: "%06x%04x", number * 1000, number == 0 ? 800 : 400)
    }.joined()

    @Test("It writes as much in a pack of 10,000 as in one of 100, but for the list of pages")
    func bytes() async throws {
        for count in [100, 10_000] {
            let cost = try await cost(inPackOf: count)
            print("one more sticker in a pack of \(count):", cost)
            for one in cost {
                #expect(one.bytes < Self.maxBytes)
                #expect((1...3).contains(one.files), "pack.json, and one or two pages of a large pack")
            }
        }
    }

    /// How many times as much processor time one more sticker may take in the largest pack as in one of 1,100: the list of
    /// its pages is written each time. The best of five is compared, because other processes disturb some; the tests run one at a time.
    private static let maxGrowth = 2.5

    @Test("The same with a gallery, in a pack of 1,100 and of 100,000 (5,000 in a debug build)")
    func gallery() async throws {
        var best: [Double] = []
        for count in [1100, Self.largest] {
            let cost = try await cost(inPackOf: count, gallery: .init(maxArchiveBytes: 0))
            print("one more sticker in a pack of \(count) with a gallery:", cost)
            for one in cost {
                #expect(one.bytes < Self.maxBytesWithGallery)
                #expect((4...6).contains(one.files), "pack.json, index.html, and two files each of one or two pages")
            }
            best.append(try #require(cost.map(\.time).min()))
        }
        #expect(best[1] < best[0] * Self.maxGrowth)
    }

    @Test("A ZIP that cannot be written, because the stickers' files are missing, is not tried for every sticker")
    func impossibleArchive() async throws {
        let without = try await cost(inPackOf: Self.largest, gallery: .init(maxArchiveBytes: 0))
        let with = try await cost(inPackOf: Self.largest, gallery: .init(maxArchiveBytes: 1 << 40))
        print("one more sticker in a pack of \(Self.largest) whose ZIP cannot be written:", with)
        #expect(try #require(with.map(\.time).min()) < Self.maxGrowth * #require(without.map(\.time).min()))
    }

    @Test("With all colors, in a pack of 100 and of 1,100", arguments: [100, 1100])
    func colors(count: Int) async throws {
        let cost = try await cost(inPackOf: count, gallery: .init(maxArchiveBytes: 0), colors: Self.colors)
        print("one more sticker with colors in a pack of \(count):", cost)
        for one in cost { #expect(one.bytes < Self.maxBytesWithColors) }
    }

    /// Of each of five more stickers: the index's bytes and files, and the processor's time in milliseconds.
    private func cost(
        inPackOf count: Int, gallery: PackSettings.Gallery? = nil, colors: String? = nil
    ) async throws -> [(bytes: Int, files: Int, time: Double)] {
        let folder = try TemporaryFolder()
        try await Self.fill(folder, with: count, colors: colors)
        let fixture = try PipelineFixture(in: folder, isInRealTime: true)
        let packs = PackFixture(fixture)
        var costs: [(bytes: Int, files: Int, time: Double)] = []
        let (writes, continuation) = AsyncStream.makeStream(of: Void.self)
        try await packs.writing(gallery: gallery, writes: continuation) { writer in
            // Ends when the index has so many stickers.
            func written(_ count: Int) async throws {
                for await _ in writes where try Self.isWritten(fixture, count) { return }
                Issue.record("the writer ended")
            }
            try await written(count)
            for number in 1...5 {
                // Beyond the pause between two writes, and shorter than that between two attempts to write a ZIP, which
                // take 20 ms in a debug build.
                try await Task.sleep(for: .milliseconds(400))
                let name = "new\(number).png"
                try await fixture.arrive(name)
                try await packs.finishAll([name])
                let before = Self.files(fixture)
                let start = clock()
                writer.wake()
                try await written(count + number)
                // The writer returns memory to the kernel afterwards.
                try await Task.sleep(for: .milliseconds(50))
                let time = Double(clock() - start) / 1000
                #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn.isEmpty)
                let new = Self.files(fixture).filter { !before.contains($0) }
                costs.append((new.reduce(0) { $0 + Int($1.size) }, new.count, time))
            }
        }
        return costs
    }

    private static func fill(_ folder: TemporaryFolder, with count: Int, colors: String?) async throws {
        let fixture = try PipelineFixture(in: folder)
        // Remembers the outbox, which is to be recognized without the stickers' files.
        try await PackFixture(fixture).writing()
        try fixture.library.close()
        let database = try DatabaseQueue(path: folder["state/library.sqlite"].string)
        defer { try? database.close() }
        try await database.write { database in
            let colors = colors.map { "'\($0)'" } ?? "NULL"
            try database.execute(
                sql: """
                    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                        SELECT i FROM n;
                    INSERT INTO recipe VALUES ('r', '{}', '2026-01-01 00:00:00.000');
                    INSERT OR IGNORE INTO pack (name, folder, folded) VALUES ('', '', '');
                    INSERT INTO photo SELECT printf('%064x', i), 'jpeg', 40, 30, 5, '2026-01-01 00:00:00.000' FROM n;
                    INSERT INTO result (photo, recipe, outcome, confidence, finished, colors, subjectColors)
                        SELECT sha256, 'r', 'done', 0.9, firstSeen, \(colors), \(colors) FROM photo;
                    INSERT INTO sticker (pack, photo, ordinal, source, recipe, arrival, file, width, height, bytes, sha256,
                            confidence, added, published, thumbnail)
                        SELECT '', printf('%064x', i), 0, 0, 'r', i - 1000000, 'photo-' || i || '.png', 40, 30, 9, 's', 0.9,
                            '2026-01-01 00:00:00.000', 1, 'photo-' || i || '.webp' FROM n;
                    """)
        }
    }

    /// Reads the end of pack.json, which has the number of stickers.
    private static func isWritten(_ fixture: PipelineFixture, _ count: Int) throws -> Bool {
        guard let file = try? FileHandle(forReadingFrom: URL(filePath: fixture.folder["outbox/pack.json"].string))
        else {
            return false
        }
        defer { try? file.close() }
        let length = try file.seekToEnd()
        try file.seek(toOffset: length - min(length, 40))
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).contains("\"stickerCount\":\(count)}")
    }

    private static func files(_ fixture: PipelineFixture) -> Set<FileIdentity> {
        let pages = (try? FileManager.default.contentsOfDirectory(atPath: fixture.folder["outbox/pack"].string)) ?? []
        return Set(
            (pages.map { "pack/\($0)" } + ["pack.json", "index.html"]).compactMap {
                try? FileStatus(of: fixture.folder["outbox"].appending($0)).identity
            })
    }
}
