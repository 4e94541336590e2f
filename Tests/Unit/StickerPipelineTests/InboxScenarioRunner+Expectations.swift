import PhotoLibrary
import StickerPipeline
import TestSupport
import Testing

extension InboxScenarioRunner {
    private func library(_ step: InboxScenario.Step) throws -> PhotoLibrary {
        guard let ledger else { throw Mistake(step: step) }
        return ledger.library
    }

    /// Exactly these files are waiting, in this order, and no others follow.
    func expectPending(_ paths: [InboxPath], _ step: InboxScenario.Step) async throws {
        let library = try library(step)
        let pending = try await eventually(paths) { try await self.pending(in: library, ifCount: paths.count) }
        #expect(pending == paths, "\(step)")
    }

    func expectIgnored(_ path: InboxPath, because reason: String, _ step: InboxScenario.Step) async throws {
        let ledger = ledger
        let found = try await eventually(reason) { ledger?.reason(for: path) ?? "" }
        #expect(found == reason, "\(step)")
    }

    func expectCount(of state: String, _ count: String, _ step: InboxScenario.Step) async throws {
        guard let state = FileState(rawValue: state), let count = Int(count) else { throw Mistake(step: step) }
        let library = try library(step)
        let found = try await eventually(count) { try await library.status().photos[state] ?? 0 }
        #expect(found == count, "\(step)")
        try await quiet()
        #expect(try await library.status().photos[state] == count, "\(step), a moment later")
    }

    func expectLogged(_ text: String, _ step: InboxScenario.Step) async throws {
        #expect(try await TestSupport.eventually { log.said.contains { $0.contains(text) } }, "\(step)")
    }

    /// A condition's reason contains the text; if nil, there is no condition.
    func expectCondition(_ text: String?, _ step: InboxScenario.Step) async throws {
        let isSo = try await TestSupport.eventually {
            text.map { text in conditions.reasons.contains { $0.contains(text) } } ?? conditions.reasons.isEmpty
        }
        #expect(isSo, "\(step)")
    }

    /// Finishes every waiting file, as the Processor would.
    func work() async throws {
        guard let library = ledger?.library else { return }
        for claim in try await library.claim(limit: .max) { try await library.finish(claim, as: .unchanged) }
    }

    /// Returns when the Inbox has handled everything that happened before the call.
    func quiet() async throws {
        guard let inbox else { return }
        // The first answer may belong to a turn that began before; the second does not.
        for _ in 0..<2 {
            _ = inbox.isResponsive()
            while !inbox.isResponsive() {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    /// Nil if another number of files is pending. Only a claim shows the order, and it must not take a file that the
    /// Inbox is about to remove: call this only while the Inbox is idle.
    private func pending(in library: PhotoLibrary, ifCount count: Int) async throws -> [InboxPath]? {
        try await quiet()
        guard try await library.status().photos[.pending] == count else { return nil }
        let claims = try await library.claim(limit: .max)
        for claim in claims { try await library.release(claim) }
        return claims.map(\.path)
    }

    /// Queries after every change until the result is `wanted`; returns the last result when the test times out.
    private func eventually<Answer: Equatable>(
        _ wanted: Answer, _ ask: () async throws -> Answer?
    ) async throws -> Answer? {
        guard let ledger else { return try await ask() }
        var changes = ledger.changes.makeAsyncIterator()
        while true {
            let answer = try await ask()
            if answer == wanted || Task.isCancelled { return answer }
            _ = await changes.next()
        }
    }
}
