import Conditions
import FileNames
import FoundationEssentials
import PackLedger
import PhotoLibrary
import PhotoRule
import Processing
import SystemPackage
import Testing
import TestSupport

@Suite("Transient errors", .timeLimit(.minutes(1)))
struct TroubleTests {
    private let fixture = PipelineFixture()

    private func said(_ text: String) -> Int { fixture.log.said.filter { $0.contains(text) }.count }

    @Test(
        "An unreadable photo waits, uncounted and without delaying others, and is made once it can be read",
        arguments: [Errno.ioError, .staleNFSFileHandle, .socketNotConnected, .operationNotSupportedByDevice])
    func photo(fault: Errno) async throws {
        let reader = try HookedReader()
        reader.fail("a.png", with: fault)
        try await fixture.drop(["a.png", "b.png"])
        try await fixture.processing(reader: reader) { processor async throws in
            processor.wake()
            #expect(try await fixture.eventually { try await fixture.count(.done) == 1 && reader.failures >= 2 })
            #expect(try await fixture.count(.failed) == 0)
            #expect(fixture.conditions.reasons.first?.contains("a.png") == true)
            reader.fail("a.png", with: nil)
            #expect(try await fixture.eventually { try await fixture.count(.done) == 2 })
        }
        #expect(fixture.conditions.reasons.isEmpty)
        #expect(said("A photo can be read again") == 1)
        let order = try await fixture.library.stickerRecords(ofPack: "").map { $0.file.prefix(1) }
        #expect(order == ["a", "b"])
    }

    @Test("A leased photo waits without delaying others, and is made when the lease ends")
    func leased() async throws {
        try await fixture.drop(["a.png", "b.png", "c.png"])
        let lease = try Lease(of: fixture.folder["inbox/a.png"])
        try await fixture.processing { processor async throws in
            processor.wake()
            #expect(try await eventually { try await fixture.count(.done) == 2 })
            #expect(try await eventually { fixture.conditions.reasons.first?.contains("a.png") == true })
            #expect(fixture.conditions.reasons.first?.contains("lease") == true)
            #expect(try await fixture.count(.failed) == 0)
            try lease.end()
            #expect(try await fixture.eventually { try await fixture.count(.done) == 3 })
        }
        #expect(fixture.conditions.reasons.isEmpty)
        #expect(said("Out of memory") == 0)
        let order = try await fixture.library.stickerRecords(ofPack: "").map { $0.file.prefix(1) }
        #expect(order == ["a", "b", "c"])
    }

    @Test("A condition ends when its photo leaves the inbox", arguments: [true, false])
    func removed(isPack: Bool) async throws {
        let reader = try HookedReader()
        if isPack {
            try fixture.folder.write([1], to: "outbox/Cats")
        } else {
            reader.fail("Cats/a.png", with: .ioError)
        }
        try await fixture.drop(["Cats/a.png"])
        try await fixture.processing(reader: reader) { processor async throws in
            processor.wake()
            #expect(try await fixture.eventually { !fixture.conditions.reasons.isEmpty })
            #expect(
                try await fixture.eventually {
                    try await fixture.library.forget([PipelineFixture.path("Cats/a.png")])
                    return try await fixture.isDrained()
                })
            #expect(try await fixture.eventually { fixture.conditions.reasons.isEmpty })
        }
    }

    @Test("A condition stays while another one holds up its photos")
    func heldTwice() async throws {
        try await fixture.drop(["Cats/a.png"])
        _ = fixture.conditions.refuse(.pack("Cats"), because: "not due", for: .seconds(3600))
        _ = fixture.conditions.refuse(.inboxUnreadable, because: "due", for: .zero)
        try await fixture.processing { processor async throws in
            // The first round has ended when the second begins.
            for _ in 1...2 {
                fixture.conditions.begin(.diskFull, because: "until a round begins")
                processor.wake()
                #expect(try await eventually { !fixture.conditions.has(.diskFull) })
            }
        }
        #expect(fixture.conditions.has(.inboxUnreadable))
    }

    @Test("A shortage of descriptors or memory stops all photos until it ends, and is logged once")
    func shortage() async throws {
        let reader = try HookedReader()
        for index in 0..<6 {
            try await fixture.drop(["\(index).png"])
            reader.fail("\(index).png", with: index % 2 == 0 ? .tooManyOpenFiles : .noMemory)
        }
        try await fixture.processing(reader: reader) { processor async throws in
            processor.wake()
            #expect(try await fixture.eventually { said("Out of memory") >= 2 })
            // The error is logged before the photo returns to its place.
            #expect(try await eventually { try await fixture.count(.pending) == 6 })
            for index in 0..<6 { reader.fail("\(index).png", with: nil) }
            #expect(try await fixture.eventually { try await fixture.count(.done) == 6 })
        }
        #expect(said("are available again") == 1)
        #expect(fixture.log.said.filter { $0.contains("Cannot make") }.isEmpty)
    }

    @Test("If many photos cannot be read, the others are not tried")
    func disk() async throws {
        let reader = try HookedReader()
        for index in 0..<60 {
            reader.fail("\(index).png", with: .ioError)
            try await fixture.arrive("\(index).png")
        }
        try await fixture.processing(reader: reader) { processor async throws in
            processor.wake()
            #expect(try await eventually { fixture.conditions.has(.inboxUnreadable) })
        }
        #expect(reader.failures < 60)
        #expect(try await fixture.count(.pending) == 60)
    }

    @Test("A photo without read permission fails with a fix, and stays where its permissions can be corrected")
    func permanent() async throws {
        let reader = try HookedReader()
        reader.fail("a.png", with: .permissionDenied)
        try await fixture.arrive("a.png")
        try await fixture.processing(reader: reader, originals: .archive) { try await fixture.drain($0) }
        let reason = try await fixture.library.summary(ofPack: "", listed: 9).failed.first?.reason
        #expect(reason?.contains("make the file and its folder readable") == true)
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 1).isEmpty)
    }

    @Test("A photo whose worker dies is retried alone, after all others, and keeps its place in the pack")
    func workerDied() async throws {
        let script = try WorkerScript(in: fixture.folder, first: .isKilled)
        try await fixture.drop(["a.png", "b.png", "c.png"])
        try await fixture.processing(executable: script.path) { try await fixture.drain($0) }
        #expect(try await fixture.count(.done) == 3)
        let made = fixture.log.said.filter { $0.contains("Made a sticker") }
        // Which photo the first worker got depends on how the workers start.
        let died = fixture.log.said.filter { $0.contains("A worker died") }
        #expect(died.count == 1)
        let suspect = ["a.png", "b.png", "c.png"].first { died.first?.contains($0) == true }
        #expect(made.last?.contains(try #require(suspect)) == true)
        // The pack is in order of arrival.
        let order = try await fixture.library.stickerRecords(ofPack: "").map { $0.file.prefix(1) }
        #expect(order == ["a", "b", "c"])
    }

    @Test(
        "A photo that three workers cannot process fails with the reason",
        arguments: [
            (.isKilled, "was killed, most likely because the system ran out of memory (signal 9)"),
            (.lies, "sent an invalid reply: a number is out of range"),
        ] as [(WorkerScript.First, String)])
    func worksNever(first: WorkerScript.First, words: String) async throws {
        let script = try WorkerScript(in: fixture.folder, first: first, count: Library.maxCrashes)
        try fixture.write(try PipelineFixture.photo(), to: "a.png")
        try await fixture.arrive("a.png")
        try await fixture.processing(executable: script.path) { try await fixture.drain($0) }
        let reason = try await fixture.library.summary(ofPack: "", listed: 9).failed.first?.reason
        #expect(reason == "failed in three workers: its worker \(words)")
        #expect(said("A worker died") == 3)
    }

    @Test("Work pauses before the disk is full, and resumes when there is room")
    func fullDisk() async throws {
        try await fixture.drop(["a.png"])
        try await fixture.processing { processor async throws in
            var settings = PipelineFixture.settings
            settings.minFreeBytes = 1 << 60
            try await processor.update(settings)
            processor.wake()
            #expect(try await fixture.eventually { said("The disk is nearly full") >= 2 })
            #expect(fixture.conditions.reasons.first?.contains("limits.minFreeBytes") == true)
            #expect(try fixture.published().isEmpty)
            #expect(try await fixture.count(.done) == 0)
            // No try with the former settings is left.
            #expect(try await eventually { try await fixture.count(.pending) == 1 })
            settings.minFreeBytes = 1
            try await processor.update(settings)
            #expect(try await fixture.eventually { try await fixture.count(.done) == 1 })
        }
        #expect(fixture.conditions.reasons.isEmpty)
        #expect(said("There is room on the disk again") == 1)
    }

    @Test("A photo that its worker cannot read waits like one that cannot be opened")
    func workerCannotRead() async throws {
        let script = try WorkerScript(in: fixture.folder, first: .cannotRead)
        try await fixture.drop(["a.png"])
        try await fixture.processing(executable: script.path) { processor async throws in
            processor.wake()
            #expect(try await eventually { said("Cannot read a photo") == 1 })
            #expect(try await fixture.eventually { try await fixture.count(.done) == 1 })
        }
        #expect(said("Cannot make a sticker") == 0)
    }
}
