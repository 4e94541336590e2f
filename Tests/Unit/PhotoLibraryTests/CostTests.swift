// Tests can use a module's internals in debug builds only.
#if DEBUG
import Foundation
import GRDB
import Glibc
@testable import PhotoLibrary
import Synchronization
import TestSupport
import Testing

@Suite("The cost of calls in a Library of 100,000 files", .timeLimit(.minutes(2 * Sanitizer.slowdown)))
struct CostTests {
    /// The fastest of five tries, because other load on the machine delays some.
    private static func time<Value>(_ work: () async throws -> Value) async rethrows -> Duration {
        var best = Duration.seconds(60)
        for _ in 0..<5 {
            let start = ContinuousClock.now
            _ = try await work()
            best = min(best, .now - start)
        }
        return best
    }

    @Test("Calls with a small answer take less than ten milliseconds, and a migration or 8,000 arrivals five seconds")
    func calls() async throws {
        let folder = try TemporaryFolder()
        try GrownLibrary.make(in: folder, upTo: "8")
        let start = clock()
        let steps = Atomic(0)
        let library = try PhotoLibrary(in: folder.path, outbox: "/outbox") { steps.add(1, ordering: .relaxed) }
        // A migration reports progress.
        #expect(steps.load(ordering: .relaxed) > 0)
        // Processor time in microseconds, which excludes other load on the machine.
        let opening = clock() - start
        var times: [(String, Duration)] = []
        let idle = try await Self.time { try await library.setScanning(true) }
        times.append(("claim", try await Self.time { try await library.claim(limit: 1, isIdle: false) }))
        times.append(("releaseAll", try await Self.time { try await library.releaseAll() }))
        times.append(("recover", try await Self.time { try await library.recover() }))
        times.append(("summary", try await Self.time { try await library.summary(ofPack: "P", listed: 50) }))
        times.append(("packNames", try await Self.time { try await library.packNames() }))
        times.append(("knownFolders", try await Self.time { try await library.knownFolders() }))
        times.append(
            ("known", try await Self.time { try await library.known(inFolder: LibraryFixture.path("P/3")) }))
        times.append(
            (
                "duePalettes",
                try await Self.time { try await library.duePalettes(ofPack: "P", isWanted: false, limit: 9) }
            ))
        times.append(("knownFiles", try await Self.time { try await library.knownFiles(limit: 64) }))
        let photo = String(format: "%064x", 1002)
        library.adopt(.withdraw)
        times.append(
            ("remake", try await Self.time { try await library.remake(thumbnails: ["3.webp"], inPack: "P") }))
        times.append(
            ("forget", try await Self.time { try await library.forget([LibraryFixture.path("P/4/4.jpg")]) }))
        let claim = try #require(try await library.claim(limit: 1, isIdle: false).first)
        times.append(("resolve", try await Self.time { try await library.resolve(claim, photo: photo, recipe: "r") }))
        let recording = clock()
        for batch in 0..<16 {
            let arrivals = (0..<500).map {
                Arrival(
                    path: LibraryFixture.path("new/\(batch * 500 + $0)"), identity: LibraryFixture.identity(),
                    verdict: .ready)
            }
            _ = try await library.record(arrivals)
        }
        #expect(clock() - recording < 5_000_000 * Sanitizer.slowdown)
        print("opening", opening, "a write alone", idle)
        for (name, time) in times { print(name, time) }
        #expect(opening < 5_000_000 * Sanitizer.slowdown)
        for (name, time) in times where time > idle + .milliseconds(10 * Sanitizer.slowdown) {
            Issue.record("\(name): \(time)")
        }
    }

    @Test("One more sticker in a divided pack reads and writes one page of its index, and the list of pages")
    func pages() async throws {
        let folder = try TemporaryFolder()
        try GrownLibrary.make(in: folder, upTo: "8")
        let library = try PhotoLibrary(in: folder.path, outbox: "/outbox")
        func write() async throws -> (pages: Int, stickers: Int) {
            #expect(try await library.arrangePages(ofPack: "P", sizes: .standard))
            var count = (pages: 0, stickers: 0)
            var files: [PhotoLibrary.PageFiles] = []
            while let due = try await library.nextDuePage(ofPack: "P", after: files.last?.page) {
                files.append(.init(due.page, index: .init(bytes: 1, modified: 1, sha256: "")))
                count.pages += 1
                count.stickers += due.stickers.count
            }
            try await library.record(files, ofPack: "P")
            return count
        }
        let start = clock()
        let all = try await write()
        let files = try await library.pageFiles(ofPack: "P")
        #expect(files.count == all.pages && all.pages < 1000)
        #expect(files.reduce(0) { $0 + $1.page.stickers } == all.stickers)
        print("dividing", all, clock() - start)
        var times: [Duration] = []
        for name in 1...5 {
            _ = try await library.record([
                Arrival(path: LibraryFixture.path("P/new\(name)"), identity: LibraryFixture.identity(), verdict: .ready)
            ])
            let claim = try #require(try await library.claim(limit: 20_000, isIdle: false).last)
            let fixture = try LibraryFixture()
            let photo = "photo\(name)"
            _ = try await library.resolve(claim, photo: photo, recipe: "r")
            try await library.finish(
                claim,
                as: .made(
                    [fixture.record(photo: photo, pack: "P")], result: fixture.result(photo: photo), stems: [photo]))
            try await library.releaseAll()
            let start = ContinuousClock.now
            let one = try await write()
            _ = try await library.pageFiles(ofPack: "P")
            times.append(.now - start)
            #expect(one.pages <= 2 && one.stickers <= PageSizes.standard.maxStickers + 1)
        }
        print("one more", times)
        #expect(try #require(times.min()) < .milliseconds(50 * Sanitizer.slowdown))
    }

    @Test("The loss of 5,000 thumbnails of a large pack delays a claim by one batch at most")
    func thumbnails() async throws {
        let folder = try TemporaryFolder()
        try GrownLibrary.make(in: folder, upTo: "8")
        let library = try PhotoLibrary(in: folder.path, outbox: "/outbox")
        let lost = Set((1...5_000).map { ExactName("\($0).webp") })
        async let remade = library.remake(thumbnails: lost, inPack: "P")
        // Between two batches, the files of some batches are pending, but not all files.
        var seen: Set<Int> = []
        while true {
            let waiting = try await library.status().photos[.pending, default: 0]
            seen.insert(waiting)
            if waiting >= 14_000 { break }
        }
        let count = try await remade
        #expect(count > 4_000)
        #expect(seen.count > 3)
    }
}
#endif
