import Conditions
import FileNames
import Inbox
import LibraryCommands
import LinuxIO
import PhotoLibrary
import PhotoRule
import TestSupport
import Testing

extension InboxScenarioRunner {
    private func openLibrary(_ step: InboxScenario.Step) throws -> Library {
        guard let library else { throw Mistake(step: step) }
        return library
    }

    /// Exactly these files are waiting, in this order, and no others follow.
    func expectPending(_ paths: [InboxPath], _ step: InboxScenario.Step) async throws {
        let library = try openLibrary(step)
        let pending = try await eventually(paths) { try await self.pending(in: library, ifCount: paths.count) }
        #expect(pending == paths, "\(step)")
    }

    func expectIgnored(_ path: InboxPath, because reason: String, _ step: InboxScenario.Step) async throws {
        let found = try await eventually(reason) {
            let file = try PhotoStory.read(of: path.description, in: folder["state"])?.file
            return file?.state == .ignored ? file?.reason : nil
        }
        #expect(found == reason, "\(step)")
    }

    func expectCount(of state: String, _ count: String, _ step: InboxScenario.Step) async throws {
        guard let state = FileState(rawValue: state), let count = Int(count) else { throw Mistake(step: step) }
        let library = try openLibrary(step)
        let found = try await eventually(count) { try await library.status().photos[state] ?? 0 }
        #expect(found == count, "\(step)")
        try await quiet()
        #expect(try await library.status().photos[state] == count, "\(step), a moment later")
    }

    func expectLogged(_ text: String, _ step: InboxScenario.Step) async throws {
        let isSo = try await eventually(true) { log.said.contains { $0.contains(text) } }
        #expect(isSo == true, "\(step)")
    }

    /// A condition's reason contains the text; if nil, there is no condition.
    func expectCondition(_ text: String?, _ step: InboxScenario.Step) async throws {
        let isSo = try await eventually(true) {
            text.map { text in conditions.reasons.contains { $0.contains(text) } } ?? conditions.reasons.isEmpty
        }
        #expect(isSo == true, "\(step)")
    }

    /// Finishes every waiting file, as the Processor would, each as a photo of its own.
    func work() async throws {
        guard let library else { return }
        try await library.remember(recipe: "r", content: "{}")
        for claim in try await library.claim(limit: .max) {
            let photo = try ContentDigest.sha256(of: Array("\(claim.path) \(claim.arrival)".utf8)).hex
            _ = try await library.folder(ofPack: claim.pack, candidates: [claim.pack])
            _ = try await library.resolve(claim, photo: photo)
            try await make(claim, photo: photo, file: "\(claim.arrival).png", library)
        }
    }

    /// Returns when the Inbox has handled everything that happened before the call.
    func quiet() async throws { try await inbox?.quiet(clock) }

    /// Advances to what the Inbox waits for, which handles it. Returns false if that is after `end`.
    private func pass(upTo end: ContinuousClock.Instant) async throws -> Bool {
        guard inbox != nil else { return false }
        try await quiet()
        while true {
            guard let next = clock.next else {
                // It is about to wait.
                try await Task.sleep(for: .microseconds(100))
                continue
            }
            guard next <= end else { return false }
            clock.advance(to: next)
            try await quiet()
            return true
        }
    }

    func pass(_ time: Duration) async throws {
        // The first reading compares the files' times with the wall clock.
        guard inbox != nil else { return try await Task.sleep(for: time) }
        let end = clock.now + time
        while try await pass(upTo: end) {}
        clock.advance(to: end)
        try await quiet()
    }

    /// Nil if another number of files is pending. Only a claim shows the order, and it must not take a file that the
    /// Inbox is about to remove: call this only while the Inbox is idle.
    private func pending(in library: Library, ifCount count: Int) async throws -> [InboxPath]? {
        try await quiet()
        guard try await library.status().photos[.pending] == count else { return nil }
        let claims = try await library.claim(limit: .max)
        for claim in claims { try await library.release(claim) }
        return claims.map(\.path)
    }

    /// Lets time pass until the result is `wanted`; returns the last result after half a minute, of either clock.
    func eventually<Answer: Equatable>(
        _ wanted: Answer, _ ask: () async throws -> Answer?
    ) async throws -> Answer? {
        let (end, realEnd) = (clock.now + .seconds(30), ContinuousClock.now + .seconds(30))
        while true {
            try await quiet()
            let answer = try await ask()
            if answer == wanted || .now > realEnd { return answer }
            // If nothing is due, it may still be at work.
            if try await !pass(upTo: end) { try await Task.sleep(for: .milliseconds(10)) }
        }
    }
}

extension InboxWatcher {
    /// Returns when the Inbox has handled everything that happened before the call.
    nonisolated func quiet(_ clock: ManualClock) async throws {
        // It polls between two turns, and in a turn for the other half of a rename, for up to 5 ms. The first long poll
        // may end a turn that began before the call; the second does not.
        var turns = 0
        while turns < 2 {
            let polls = clock.begun
            _ = isResponsive()
            while clock.begun == polls { try await Task.sleep(for: .microseconds(100)) }
            if let end = clock.next, end > clock.now + .milliseconds(5) { turns += 1 }
        }
    }
}
