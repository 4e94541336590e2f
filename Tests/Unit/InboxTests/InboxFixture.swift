import Conditions
import FileNames
import Inbox
import LinuxIO
import Logging
import PhotoLibrary
import PhotoRule
import SystemPackage
import TestSupport
import Testing

/// An inbox with a Library, in their own folders. Time passes only in `eventually`.
struct InboxFixture {
    let folder = TemporaryFolder()
    let library: Library
    let conditions: CurrentConditions
    let clock = ManualClock()
    let log = RecordedLog()

    static let rules = InboxRules(recursive: true, settleSeconds: 0.1, rescanSeconds: 300, ignorePatterns: [])

    init() {
        do {
            for name in ["inbox", "state"] { try folder.makeFolder(name) }
            library = try Library(in: folder["state"], outbox: "/outbox")
        } catch {
            // A stored property of the suites: if this threw, each of them would need an initializer.
            fatalError("no inbox: \(error)")
        }
        conditions = CurrentConditions(logger: Logger(label: "test") { [log] _ in log }, clock: clock)
    }

    static func path(_ name: String) -> InboxPath { InboxPath(bytes: Array(name.utf8)) }

    func write(_ bytes: [UInt8], to name: String) throws { try folder.write(bytes, to: "inbox/\(name)") }

    /// Records files in the Library.
    func arrive(_ names: [String]) async throws {
        let arrivals = try names.map { name in
            let identity = try FileStatus(of: folder["inbox"].appending(name)).identity
            return Arrival(path: Self.path(name), identity: identity, verdict: .ready)
        }
        _ = try await library.record(arrivals)
    }

    func count(_ state: FileState) async throws -> Int { try await library.status().photos[state, default: 0] }

    /// Advances the clock until the condition holds.
    func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
        try await clock.advance(until: condition)
    }

    /// A prepared Inbox.
    func inbox(_ rules: InboxRules = rules, observer: InboxObserver? = nil) async throws -> InboxWatcher {
        let inbox = try InboxWatcher(
            folder: folder["inbox"], rules: rules, library: library, conditions: conditions,
            logger: Logger(label: "test") { [log] _ in log }, arrived: {}, beforeCall: { await observer?.see($0) })
        try await inbox.prepare()
        return inbox
    }

    /// Runs an Inbox until the condition holds.
    func run(_ inbox: InboxWatcher, until condition: () async throws -> Bool) async throws {
        try await running(inbox) { () async throws in #expect(try await eventually(condition)) }
    }

    /// Runs an Inbox during `body`.
    func running(_ inbox: InboxWatcher, _ body: () async throws -> Void) async throws {
        let run = Task { try await inbox.run() }
        defer { run.cancel() }
        try await body()
        run.cancel()
        try? await run.value
    }
}
