import FileNames
import LibraryCommands
import PackLedger
import PhotoLibrary
import PhotoRule
import TestSupport
import Testing

@Suite("Photos that crash their worker or stickerd")
struct SuspectTests {
    private let folder = TemporaryFolder()

    private func claim(_ library: Library, isIdle: Bool = true) async throws -> [String] {
        try await library.claim(limit: 9, isIdle: isIdle).map(\.path.description)
    }

    @Test("A suspect runs alone, in its place in the queue, once those in progress are finished")
    func turn() async throws {
        let fixture = LibraryFixture()
        try await fixture.arrive("a", "killer", "b", "c")
        #expect(try await fixture.next().path.description == "a")
        let killer = try await fixture.next()
        #expect(!killer.isSuspect)
        #expect(try await fixture.library.suspect(killer, because: "signal 9"))
        #expect(try await claim(fixture.library, isIdle: false).isEmpty)
        let again = try #require(try await fixture.library.claim(limit: 9).first)
        #expect(again.path.description == "killer" && again.isSuspect)
        #expect(try await claim(fixture.library) == ["b", "c"])
    }

    @Test("A photo that was finished and waits again is no suspect")
    func finished() async throws {
        let fixture = LibraryFixture()
        try await fixture.make(["a": "p"])
        #expect(try await fixture.library.remake(["p.png"], inPack: "") == 1)
        #expect(try await fixture.library.suspect(fixture.next(), because: "signal 9"))
        try await fixture.library.finish(fixture.next(), as: .upToDate())
        #expect(try await !fixture.next().isSuspect)
    }

    @Test("The third crash is the last; for a photo that arrives again, counting starts again")
    func limit() async throws {
        let fixture = LibraryFixture()
        try await fixture.arrive("killer")
        for _ in 1..<Library.maxCrashes {
            #expect(try await fixture.library.suspect(fixture.next(), because: "signal 9"))
        }
        #expect(try await !fixture.library.suspect(fixture.next(), because: "signal 9"))
        #expect(try await fixture.count(.processing) == 1)
        try await fixture.arrive("killer", version: 2)
        let again = try await fixture.next()
        #expect(!again.isSuspect)
        #expect(try await fixture.library.suspect(again, because: "signal 9"))
    }

    @Test("A photo that stops stickerd while its sticker is copied fails, too, and its sticker stays")
    func copied() async throws {
        do {
            let fixture = try LibraryFixture(in: folder)
            try await fixture.make(["A/a": "p"])
            try await fixture.rename("A/a", to: "B/a", changed: 1)
        }
        func work(_ fixture: LibraryFixture) async throws {
            let claim = try await fixture.next()
            #expect(try await fixture.begin(claim, photo: "p") == .copy)
        }
        for _ in 0..<Library.maxCrashes {
            let fixture = try LibraryFixture(in: folder)
            #expect(try await fixture.library.recover().isEmpty)
            try await work(fixture)
        }
        let fixture = try LibraryFixture(in: folder)
        #expect(try await fixture.library.recover() == [LibraryFixture.path("B/a")])
        #expect(try await fixture.claimOne() == nil)
        let failed = try await fixture.library.summary(ofPack: "B", listed: 9).failed
        #expect(failed.map(\.reason) == [Library.crashReason])
        #expect(try await fixture.library.stickerRecords(ofPack: "A").map(\.photo) == ["p"])
        #expect(try Library.requestRetry(in: folder.path, of: ["B/a"]).photos == 1)
        try await work(fixture)
    }

    @Test("A photo in progress at each crash fails after the last one")
    func failed() async throws {
        for attempt in 1...Library.maxCrashes {
            let fixture = try LibraryFixture(in: folder)
            try await fixture.arrive("killer.jpg")
            #expect(try await fixture.library.recover().isEmpty)
            #expect(try await fixture.next().attempts == attempt)
        }
        let library = try LibraryFixture(in: folder).library
        #expect(try await library.recover().map(\.description) == ["killer.jpg"])
        #expect(try await library.status().photos[.failed] == 1)
        let story = try #require(try PhotoStory.read(of: "killer.jpg", in: folder.path))
        #expect(story.file.reason == "stickerd stopped unexpectedly 3 times while this photo was in progress")
        #expect(story.attempts.map(\.outcome) == ["stickerd ended", "stickerd ended", "stickerd ended"])
        #expect(story.attempts.allSatisfy { $0.detail == "the only photo in progress" })
    }

    @Test("A held suspect does not delay other photos")
    func held() async throws {
        let fixture = LibraryFixture()
        try await fixture.arrive("Cats/killer", "a")
        let killer = try await fixture.next()
        #expect(try await fixture.library.suspect(killer, because: "signal 9"))
        try await fixture.arrive("b")
        #expect(try await fixture.library.claim(limit: 9, exceptPacks: ["Cats"]).map(\.path.description) == ["a", "b"])
    }

    @Test("A kill after a request to stop does not count against the photos in progress", arguments: [1, 3])
    func stopRequested(inProgress: Int) async throws {
        try await LibraryFixture(in: folder).arrive("a", "b", "c")
        for _ in 0...Library.maxCrashes {
            let fixture = try LibraryFixture(in: folder)
            #expect(try await fixture.library.recover().isEmpty)
            let claims = try await fixture.library.claim(limit: inProgress)
            #expect(claims.map(\.path.description) == Array(["a", "b", "c"].prefix(inProgress)))
            #expect(claims.allSatisfy { !$0.isSuspect && $0.attempts == 1 })
            try await fixture.library.recordStop()
        }
    }

    @Test("A request to stop applies only to the process that received it")
    func stopRequestedOnce() async throws {
        do {
            let first = try LibraryFixture(in: folder)
            try await first.arrive("a")
            try await first.library.recordStop()
            try first.library.close()
        }
        var failed: [InboxPath] = []
        for _ in 0...Library.maxCrashes {
            let fixture = try LibraryFixture(in: folder)
            failed += try await fixture.library.recover()
            _ = try await fixture.claimOne()
        }
        #expect(failed.map(\.description) == ["a"])
    }

    @Test("After a crash with several photos in progress, each is tried alone, and only the culprit fails")
    func guilty() async throws {
        do {
            let fixture = try LibraryFixture(in: folder)
            try await fixture.arrive("a", "killer", "c", "d")
            #expect(try await fixture.library.claim(limit: 3).count == 3)
        }
        var failed: [String] = []
        var order: [String] = []
        for _ in 1...4 {
            let fixture = try LibraryFixture(in: folder)
            failed += try await fixture.library.recover().map(\.description)
            var died = false
            while !died, let claim = try await fixture.library.claim(limit: 9).first {
                order.append(claim.path.description)
                died = claim.path.description == "killer"
                if !died { try await fixture.library.finish(claim, as: .failed(reason: "no photo")) }
            }
        }
        #expect(failed == ["killer"])
        #expect(order == ["a", "killer", "killer", "c", "d"])
    }
}
