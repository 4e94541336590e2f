import Foundation
import PhotoLibrary
import StickerPipeline
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Reading the whole inbox", .timeLimit(.minutes(1)))
struct RescanTests {
    @Test("The watchdog is answered between two folders, however small they are")
    func folders() async throws {
        let fixture = try PipelineFixture()
        let folders = 30
        for number in 1...folders {
            try FileManager.default.createDirectory(
                atPath: fixture.folder["inbox/\(number)"].string, withIntermediateDirectories: true)
        }
        let watchdog = Watchdog()
        let inbox = try Inbox(
            folder: fixture.folder["inbox"],
            rules: InboxRules(recursive: true, settleSeconds: 0.1, rescanSeconds: 300, ignorePatterns: []),
            library: InboxObservedLedger(fixture.library) { watchdog.ask() }, logger: fixture.logger
        ) {}
        try await inbox.prepare()
        watchdog.watch(inbox)
        let run = Task { try await inbox.run() }
        #expect(try await eventually { watchdog.answers.count > folders })
        run.cancel()
        try? await run.value
        #expect(watchdog.answers.prefix(folders + 1).allSatisfy { $0 })
    }

    /// Checks whether an Inbox responds.
    private final class Watchdog: Sendable {
        private let state = Mutex<(inbox: Inbox?, answers: [Bool])>((nil, []))

        func watch(_ inbox: Inbox) { state.withLock { $0.inbox = inbox } }

        func ask() {
            guard let inbox = state.withLock(\.inbox) else { return }
            let answer = inbox.isResponsive()
            state.withLock { $0.answers.append(answer) }
        }

        var answers: [Bool] { state.withLock(\.answers) }
    }
}
