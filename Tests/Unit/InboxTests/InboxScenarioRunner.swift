import Conditions
import Inbox
import Logging
import PhotoLibrary
import PhotoRule
import SystemPackage
import TestSupport
import Testing

/// Runs one scenario with a real Inbox, folder and Library.
actor InboxScenarioRunner {
    struct Mistake: Error { let step: InboxScenario.Step }

    let folder = TemporaryFolder()
    let log = RecordedLog()
    let clock: ManualClock
    let conditions: CurrentConditions
    var rules = InboxRules(
        recursive: true, settleSeconds: 0.05, rescanSeconds: 3600, ignorePatterns: [".*", "*.part"],
        pollSeconds: 0.05...0.2,
        emptySeconds: 3600, abandonedSeconds: 1)
    private var whenRemoved = WhenPhotoRemoved.keep
    var openFiles: [String: FileDescriptor] = [:]
    var inbox: InboxWatcher?
    var library: Library?
    /// The files in progress.
    private var claims: [Claim] = []
    private let observer = InboxObserver()
    private var running: Task<Void, any Error>?

    /// - Parameter readsSingleEvents: whether each turn of the Inbox handles only one event.
    init(readsSingleEvents: Bool) throws {
        clock = ManualClock(returnsSingleEvents: readsSingleEvents)
        conditions = CurrentConditions(logger: Logger(label: "inbox") { [log] _ in log }, clock: clock)
        for name in ["inbox", "outside", "state"] { try makeFolder(folder[name]) }
    }

    func play(_ scenario: InboxScenario) async throws {
        for step in scenario.steps {
            do {
                try await perform(step)
            } catch {
                Issue.record("\(scenario.name), \(step): \(error)")
                break
            }
        }
        try? await stop()
    }

    private func perform(_ step: InboxScenario.Step) async throws {
        let words = step.words
        switch (words[0], words.count) {
        // The daemon.
        case ("rules", 3): try change(words[1], to: words[2], step)
        case ("start", 1): try await start()
        case ("stop", 1): try await stop()
        case ("apply", 1): inbox?.apply(rules)
        case ("work", 1): try await work()
        case ("make", 1): try await make()
        case ("claim", 1): claims = try await library?.claim(limit: .max) ?? []
        case ("fail", 1): for claim in claims { try await library?.finish(claim, as: .failed(reason: "damaged")) }
        case ("stall", 1): observer.stall()
        case ("stalled", 1): await observer.untilStalled()
        case ("resume", 1): observer.resume()
        // Expectations.
        case ("pending", _): try await expectPending(words.dropFirst().map { try path($0, step) }, step)
        case ("ignored", 3...):
            try await expectIgnored(path(words[1], step), because: words[2...].joined(separator: " "), step)
        case ("count", 3): try await expectCount(of: words[1], words[2], step)
        case ("stickers", 2...): try await expectStickers(inPack: words[1], Array(words.dropFirst(2)), step)
        case ("logged", 2...): try await expectLogged(words.dropFirst().joined(separator: " "), step)
        case ("not-logged", 2...):
            let text = words.dropFirst().joined(separator: " ")
            #expect(!log.said.contains { $0.contains(text) }, "\(step)")
        case ("waits", 2...): try await expectCondition(words.dropFirst().joined(separator: " "), step)
        case ("goes-on", 1): try await expectCondition(nil, step)
        // Time and files.
        case ("pass", 2): try await pass(.seconds(Double(words[1]) ?? 0))
        case ("quiet", 1): try await quiet()
        default: try touchFiles(step)
        }
    }

    private func change(_ rule: String, to value: String, _ step: InboxScenario.Step) throws {
        switch rule {
        case "settle": rules.settleSeconds = Double(value) ?? 0
        case "rescan": rules.rescanSeconds = Double(value) ?? 0
        case "mode":
            guard let mode = WatchMode(rawValue: value) else { throw Mistake(step: step) }
            rules.mode = mode
        case "empty": rules.emptySeconds = Double(value) ?? 0
        case "removed": whenRemoved = value == "withdraw" ? .withdraw : .keep
        case "recursive": rules.recursive = value == "on"
        case "ignore": rules.ignorePatterns = value.split(separator: ",").map(String.init)
        default: throw Mistake(step: step)
        }
    }

    private func start() async throws {
        let library = try Library(in: folder["state"], outbox: "/outbox")
        library.adopt(whenRemoved)
        let (log, observer) = (log, observer)
        let inbox = try InboxWatcher(
            folder: folder["inbox"], rules: rules, library: library, conditions: conditions,
            logger: Logger(label: "inbox") { _ in log }, arrived: {}, beforeCall: { await observer.see($0) })
        (self.library, self.inbox) = (library, inbox)
        try await inbox.prepare()
        running = Task { try await inbox.run() }
        // The existing files are read; events report what happens next.
        try await quiet()
    }

    private func stop() async throws {
        running?.cancel()
        observer.resume()
        let result = await running?.result
        try library?.close()
        (running, inbox, library) = (nil, nil, nil)
        try result?.get()
    }
}
