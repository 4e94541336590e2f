import Foundation
import GRDB
import LinuxIO
import PackLedger
import Packs
@testable import PhotoLibrary
import SQLiteDatabase
import Synchronization
import SystemPackage
import Testing
import TestSupport

/// Counts bytes, files, system calls and SQLite's instructions instead of time.
@Suite("The cost of one more sticker", .timeLimit(.minutes(5 * Sanitizer.slowdown)))
struct PackCostTests {
    /// The bytes that one more sticker writes, at most: a full page, the next, their scripts, and the two lists of
    /// pages. The photos have no colors, so that the test is quicker.
    private static let maxBytesWithGallery = 230_000
    /// The same with five colors a photo and of its subject, as by default.
    private static let maxBytesWithColors = 450_000
    /// As many colors as a photo has.
    private static let colors = (0..<24).map { number in
        String(format: "%06x%04x", number * 1000, number == 0 ? 800 : 400)
    }.joined()

    /// What one more sticker costs.
    private struct Cost {
        /// The index's files that are new, and their bytes.
        var files = 0
        var bytes = 0
        /// Of SQLite's virtual machine: a few for each row.
        var instructions = 0
        var systemCalls = 0
    }

    @Test(
        "With a gallery, it takes as much work in a pack of 3,000 as in one of 1,100, and little more if no ZIP can be written"
    )
    func gallery() async throws {
        var most: [Cost] = []
        // The stickers' files are missing, so that there can be no ZIP.
        for (count, maxArchiveBytes) in [(1_100, 0), (3_000, 0), (3_000, 1 << 40)] {
            let costs = try await costs(inPackOf: count, gallery: .init(maxArchiveBytes: maxArchiveBytes))
            print(
                "one more sticker in a pack of \(count) with a gallery:",
                costs.map { [$0.instructions, $0.systemCalls] })
            for one in costs {
                #expect(one.bytes < Self.maxBytesWithGallery)
                #expect((4...6).contains(one.files), "pack.json, index.html, and two files each of one or two pages")
            }
            most.append(try #require(costs.max { $0.instructions < $1.instructions }))
        }
        #expect(most[1].instructions < most[0].instructions * 3 / 2)
        // A ZIP is tried at most once for each sticker (and takes a fiftieth of the time); that reads all stickers,
        // with an instruction for each of their 13 columns.
        #expect(most[2].instructions < most[0].instructions + 20 * 3_000)
        for larger in most { #expect(larger.systemCalls < most[0].systemCalls * 3 / 2) }
    }

    @Test("With all colors, in a pack of 100 and of 1,100", arguments: [100, 1100])
    func colors(count: Int) async throws {
        let costs = try await costs(inPackOf: count, gallery: .init(maxArchiveBytes: 0), colors: Self.colors)
        for one in costs { #expect(one.bytes < Self.maxBytesWithColors) }
    }

    /// The costs of three more stickers.
    private func costs(
        inPackOf count: Int, gallery: PackSettings.Gallery? = nil, colors: String? = nil
    ) async throws -> [Cost] {
        let folder = TemporaryFolder()
        try await Self.fill(folder, with: count, colors: colors)
        let fixture = try PipelineFixture(in: folder, isInRealTime: true)
        let packs = PackFixture(fixture)
        var costs: [Cost] = []
        let (writes, continuation) = AsyncStream.makeStream(of: Void.self)
        let instructions = Atomic(0)
        let progress = SQLiteProgress { instructions.add(1, ordering: .relaxed) }
        progress.attach(to: fixture.library.database.queue, every: 1)
        defer { progress.detach(from: fixture.library.database.queue) }
        try await packs.writing(gallery: gallery, writes: continuation) { writer in
            // Ends when the index has so many stickers.
            func written(_ count: Int) async throws {
                for await _ in writes where try Self.isWritten(fixture, count) { return }
                Issue.record("the writer ended")
            }
            try await written(count)
            for number in 1...3 {
                try await packs.make(["new\(number).png"])
                let before = Self.files(fixture)
                let start = (instructions.load(ordering: .relaxed), try Self.systemCalls())
                writer.wake()
                try await written(count + number)
                let new = Self.files(fixture).filter { !before.contains($0) }
                costs.append(
                    Cost(
                        files: new.count, bytes: new.reduce(0) { $0 + Int($1.size) },
                        instructions: instructions.load(ordering: .relaxed) - start.0,
                        systemCalls: try Self.systemCalls() - start.1))
                #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn.isEmpty)
            }
        }
        return costs
    }

    /// How often this process has read and written (proc(5)).
    private static func systemCalls() throws -> Int {
        try String(contentsOfFile: "/proc/self/io", encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("sysc") }.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(
                0, +)
    }

    private static func fill(_ folder: TemporaryFolder, with count: Int, colors: String?) async throws {
        let fixture = try PipelineFixture(in: folder)
        // Remembers the outbox, which is to be recognized without the stickers' files.
        try await PackFixture(fixture).writing()
        try fixture.library.close()
        let database = try DatabaseQueue(path: folder["state/library/library.sqlite"].string)
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
