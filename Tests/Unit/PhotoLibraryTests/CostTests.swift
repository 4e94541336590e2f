import FileNames
import GRDB
import PackLedger
@testable import PhotoLibrary
import PhotoRule
import SQLiteDatabase
import Synchronization
import TestSupport
import Testing

/// Counts work instead of time: a Library of ten times as many files costs a call no more.
@Suite("The cost of calls in a large Library", .timeLimit(.minutes(2 * Sanitizer.slowdown)))
struct CostTests {
    private static let sizes = [2_000, 20_000]
    /// What may depend on a Library's size by chance, such as the place of a row among those that a call skips.
    private static let noise = 100

    /// The instructions of each call in a Library of this many files, and how often a check of it reported progress.
    private func costs(files: Int) async throws -> (calls: [(name: String, instructions: Int)], check: Int) {
        let folder = TemporaryFolder()
        try GrownLibrary.make(files, in: folder)
        let steps = Atomic(0)
        let library = try Library(in: folder.path, outbox: "/outbox", isSuspect: true) {
            steps.add(1, ordering: .relaxed)
        }
        var calls: [(name: String, instructions: Int)] = []
        func measure(_ name: String, _ call: () async throws -> Void) async throws {
            calls.append((name, try await library.instructions(call)))
        }
        try await measure("claim") { _ = try await library.claim(limit: 1, isIdle: false) }
        try await measure("releaseAll") { try await library.releaseAll() }
        try await measure("recover") { _ = try await library.recover() }
        try await measure("summary") { _ = try await library.summary(ofPack: "P", listed: 50) }
        try await measure("packNames") { _ = try await library.packNames() }
        try await measure("knownFolders") { _ = try await library.knownFolders() }
        try await measure("known") { _ = try await library.known(inFolder: LibraryFixture.path("P/3")) }
        try await measure("duePalettes") {
            _ = try await library.duePalettes(ofPack: "P", limit: 9)
        }
        try await measure("knownFiles") { _ = try await library.knownFiles(limit: 64) }
        library.adopt(.withdraw)
        try await measure("remake") { _ = try await library.remake(thumbnails: ["3.webp"], inPack: "P") }
        try await measure("forget") { _ = try await library.forget([LibraryFixture.path("P/4/84.jpg")]) }
        let claim = try #require(try await library.claim(limit: 1, isIdle: false).first)
        let photo = String(repeating: "0", count: 61) + "3ea"
        try await measure("resolve") { _ = try await library.resolve(claim, photo: photo) }
        let arrivals = (0..<500).map {
            Arrival(path: LibraryFixture.path("new/\($0)"), identity: LibraryFixture.identity(), verdict: .ready)
        }
        try await measure("record") { _ = try await library.record(arrivals) }
        return (calls, steps.load(ordering: .relaxed))
    }

    @Test("A call with a small answer takes no longer in a larger Library, and a check as much as it is larger")
    func calls() async throws {
        let small = try await costs(files: Self.sizes[0])
        let large = try await costs(files: Self.sizes[1])
        print("instructions in a Library of \(Self.sizes[0]) files:", small, "of \(Self.sizes[1]):", large)
        for (few, many) in zip(small.calls, large.calls) {
            #expect(few.instructions > 0 && many.instructions <= few.instructions * 11 / 10 + Self.noise, "\(few.name)")
        }
        #expect(large.check > small.check && large.check < 15 * (small.check + 1))
    }

    @Test("Deciding a photo takes no longer with a thousand copies of it in its pack")
    func copies() async throws {
        var costs: [Int] = []
        for copies in [10, 1000] {
            let fixture = LibraryFixture()
            try await fixture.make(["a": "p"])
            try await fixture.library.database.write { database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                        INSERT INTO file (path, folder, pack, device, inode, size, modified, changed, arrival, state, photo,
                            stateSince) SELECT i, '', '', 1, i, 1, 1, 1, 100 + i, 'duplicate', 'p', '2026-01-01' FROM n
                        """, arguments: [copies])
            }
            costs.append(
                try await fixture.library.instructions {
                    try await fixture.library.database.write { database in
                        try database.execute(sql: "INSERT INTO touched VALUES ('p')")
                    }
                })
        }
        #expect(costs[1] <= costs[0] + Self.noise, "\(costs)")
    }

    /// Divides a pack's index into pages, then adds stickers one by one. Returns what each one costs at most.
    private func pageCosts(files: Int) async throws -> (pages: Int, stickers: Int, instructions: Int) {
        let folder = TemporaryFolder()
        try GrownLibrary.make(files, in: folder)
        let fixture = try LibraryFixture(in: folder)
        let library = fixture.library
        func write() async throws -> (pages: Int, stickers: Int) {
            #expect(try await library.arrangePages(ofPack: "P", sizes: .standard))
            let due = try await library.writeDuePages(ofPack: "P")
            return (due.count, due.reduce(0) { $0 + $1.stickers.count })
        }
        let all = try await write()
        let pages = try #require(try await library.listing(ofPack: "P", isDivided: true).pages)
        #expect(pages.count == all.pages && all.pages < files / 50)
        #expect(pages.reduce(0) { $0 + $1.stickers } == all.stickers)
        var most = (pages: 0, stickers: 0, instructions: 0)
        for name in 1...3 {
            try await fixture.arrive("P/new\(name)")
            let claim = try #require(try await library.claim(limit: files, isIdle: false).last)
            let photo = "photo\(name)"
            _ = try await library.resolve(claim, photo: photo)
            try await library.finish(
                claim,
                as: .made(
                    [fixture.record(photo: photo, pack: "P")], result: fixture.result(photo: photo), stems: [photo]))
            try await library.releaseAll()
            let instructions = try await library.instructions {
                let one = try await write()
                most = (max(most.pages, one.pages), max(most.stickers, one.stickers), most.instructions)
            }
            most.instructions = max(most.instructions, instructions)
        }
        return most
    }

    @Test("One more sticker in a divided pack reads and writes one page of its index, whatever the pack's size")
    func pages() async throws {
        let small = try await pageCosts(files: Self.sizes[0])
        let large = try await pageCosts(files: Self.sizes[1])
        print("one more sticker in a pack of \(Self.sizes[0]) files:", small, "of \(Self.sizes[1]):", large)
        #expect(large.pages <= 2 && large.stickers <= PageSizes.standard.maxStickers + 1)
        #expect(large.instructions <= small.instructions * 11 / 10 + Self.noise)
    }

    @Test("The loss of thousands of thumbnails is recorded in batches, between which photos are claimed")
    func thumbnails() async throws {
        let folder = TemporaryFolder()
        try GrownLibrary.make(Self.sizes[0], in: folder)
        let library = try Library(in: folder.path, outbox: "/outbox")
        let lost = Set((1...Self.sizes[0]).map { ExactName("\($0).webp") })
        var remade = 0
        let commits = try await library.commits { remade = try await library.remake(thumbnails: lost, inPack: "P") }
        #expect(remade > 800)
        #expect(commits >= 4)
    }
}
