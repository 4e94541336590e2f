import FileNames
import Inbox
import LinuxIO
import PhotoLibrary
import PhotoRule
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Files that change while the Inbox draws conclusions from what it read", .timeLimit(.minutes(1)))
struct OvertakenReadingTests {
    private let fixture = InboxFixture()

    /// An inbox that no rescan helps.
    private func inbox(settleSeconds: Double = 0.1, _ observer: InboxObserver) async throws -> InboxWatcher {
        let rules = InboxRules(recursive: true, settleSeconds: settleSeconds, rescanSeconds: 3600, ignorePatterns: [])
        return try await fixture.inbox(rules, observer: observer)
    }

    /// Returns after the whole inbox was read for the nth time.
    private func untilRead(times: Int) async throws {
        #expect(try await fixture.eventually { fixture.log.said.count { $0.hasPrefix("Read the inbox") } == times })
    }

    /// Whether the Library knows these files as they are on disk.
    private func areKnown(_ names: [String], in folder: String? = nil) async throws -> Bool {
        let known = try await fixture.library.known(inFolder: folder.map(InboxFixture.path))
        return names.allSatisfy { name in
            let file = fixture.folder["inbox"].appending(name)
            return (try? FileStatus(of: file).identity).map { $0 == known[InboxFixture.path(name)] } ?? false
        }
    }

    @Test("A file that returns after a scan of the inbox has missed it is recorded")
    func scan() async throws {
        let names = ["kept.jpg", "A/back.jpg", "B/gone.jpg"]
        for name in names { try fixture.write([1], to: name) }
        try await fixture.arrive(names)
        for name in ["A/back.jpg", "B"] { try fixture.folder.remove("inbox/\(name)") }
        let calls = Atomic(0)
        let observer = InboxObserver { [fixture] in
            // The root, A, its missing file, and B, which comes last because it is no longer there.
            if calls.wrappingAdd(1, ordering: .relaxed).newValue == 4 { try? fixture.write([2], to: "A/back.jpg") }
        }
        try await fixture.run(try await inbox(observer)) {
            guard try await fixture.library.known(inFolder: InboxFixture.path("B")).isEmpty else { return false }
            return try await areKnown(["A/back.jpg"], in: "A")
        }
    }

    @Test("Files that return to a folder replaced under its name, after it was read without them, are recorded")
    func folder() async throws {
        // One more than the Inbox looks for at once.
        let names = (0...500).map { "Trip/\($0).jpg" }
        for name in names { try fixture.write([1], to: name) }
        try await fixture.arrive(names)
        let calls = Mutex<Int?>(nil)
        let observer = InboxObserver { [fixture] in
            let isNext = calls.withLock { calls in
                calls? += 1
                return calls == 3
            }
            // The folder, 500 missing files, and the last one.
            if isNext { for name in names { try? fixture.write([2], to: name) } }
        }
        let inbox = try await inbox(observer)
        try await fixture.running(inbox) {
            try await untilRead(times: 1)
            observer.stall()
            try fixture.write([1], to: "other.jpg")
            await observer.untilStalled()
            try fixture.folder.rename("inbox/Trip", to: "aside")
            try fixture.folder.makeFolder("inbox/Trip")
            calls.withLock { $0 = 0 }
            observer.resume()
            #expect(try await fixture.eventually { try await areKnown(names, in: "Trip") })
        }
    }

    @Test("A file that is replaced after a scan has found it is recorded as it is now")
    func replaced() async throws {
        for name in ["photo.jpg", "A/other.jpg"] { try fixture.write([1], to: name) }
        let calls = Atomic(0)
        let observer = InboxObserver { [fixture] in
            // While A is read, after the root.
            if calls.wrappingAdd(1, ordering: .relaxed).newValue == 2 { try? fixture.write([1, 2], to: "photo.jpg") }
        }
        let inbox = try await inbox(settleSeconds: 0, observer)
        try await fixture.running(inbox) {
            try await untilRead(times: 1)
            #expect(try await areKnown(["photo.jpg"]))
        }
    }

    @Test("A file that arrives during a rescan does not count as missed by inotify")
    func late() async throws {
        let isRescan = Atomic(false)
        let observer = InboxObserver { [fixture] in
            if isRescan.exchange(false, ordering: .relaxed) { try? fixture.write([1], to: "late.jpg") }
        }
        let inbox = try await fixture.inbox(observer: observer)
        try await fixture.running(inbox) {
            try await untilRead(times: 1)
            isRescan.store(true, ordering: .relaxed)
            try await untilRead(times: 2)
            try await inbox.quiet(fixture.clock)
            #expect(try await fixture.count(.pending) == 1)
            #expect(!fixture.log.said.contains { $0.contains("Polling the inbox") })
        }
    }
}
