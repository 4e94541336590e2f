import GRDB
import PhotoLibrary
import PhotoRule
import SQLiteDatabase
import Synchronization
import Testing

/// Counts commits instead of time: each takes an fsync.
@Suite("The cost of claims", .timeLimit(.minutes(1)))
struct ClaimCostTests {
    private static let files = 40
    private static let filesPerClaim = 4

    @Test("In a backlog, at least four claims share a commit")
    func backlog() async throws {
        let fixture = PipelineFixture()
        for number in 0..<Self.files {
            try fixture.write([], to: "\(number).png")
            try await fixture.arrive("\(number).png")
        }
        let commits = ClaimCommits { [weak library = fixture.library] in library?.isBusy == true }
        fixture.library.database.queue.add(transactionObserver: commits, extent: .databaseLifetime)
        try await fixture.processing { processor in try await fixture.drain(processor) }
        #expect(try await fixture.count(.failed) == Self.files)
        #expect((1...Self.files / Self.filesPerClaim).contains(commits.count))
        #expect(commits.wasBusy && !fixture.library.isBusy)
    }

    @Test("A photo that comes alone waits for no others")
    func alone() async throws {
        let fixture = PipelineFixture()
        try fixture.write([], to: "a.png")
        try await fixture.arrive("a.png")
        let commits = ClaimCommits { [weak library = fixture.library] in library?.isBusy == true }
        fixture.library.database.queue.add(transactionObserver: commits, extent: .databaseLifetime)
        try await fixture.processing { processor in try await fixture.drain(processor) }
        #expect(commits.count == 1 && !commits.wasBusy)
    }
}

/// Counts the commits that contain claims, and asks during each whether the Library is busy.
private final class ClaimCommits: TransactionObserver, Sendable {
    private let state = Mutex((count: 0, hasClaim: false, wasBusy: false))
    private let isBusy: @Sendable () -> Bool

    init(isBusy: @escaping @Sendable () -> Bool) { self.isBusy = isBusy }

    var wasBusy: Bool { state.withLock(\.wasBusy) }

    var count: Int { state.withLock(\.count) }

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        if case .insert(tableName: "attempt") = kind { true } else { false }
    }

    func databaseDidChange(with event: DatabaseEvent) { state.withLock { $0.hasClaim = true } }

    func databaseDidCommit(_ database: Database) {
        state.withLock { $0 = ($0.count + ($0.hasClaim ? 1 : 0), false, $0.wasBusy || isBusy()) }
    }

    func databaseDidRollback(_ database: Database) { state.withLock { $0.hasClaim = false } }
}
