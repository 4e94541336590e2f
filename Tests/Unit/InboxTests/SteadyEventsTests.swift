import FileNames
import Inbox
import PhotoLibrary
import PhotoRule
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Events that never cease", .timeLimit(.minutes(1)))
struct SteadyEventsTests {
    private let fixture = InboxFixture()

    @Test("A removed file leaves the Library while another is written to all the time")
    func removal() async throws {
        try fixture.write([1], to: "gone.jpg")
        try await fixture.arrive(["gone.jpg"])
        let isBusy = Atomic(false)
        let observer = InboxObserver(
            onRecord: { [fixture] in if isBusy.load(ordering: .relaxed) { try? fixture.write([1], to: "busy.jpg") } })
        let inbox = try await fixture.inbox(observer: observer)
        try await fixture.running(inbox) {
            try await inbox.quiet(fixture.clock)
            isBusy.store(true, ordering: .relaxed)
            try fixture.write([1], to: "busy.jpg")
            try fixture.folder.remove("inbox/gone.jpg")
            let isForgotten = try await fixture.eventually {
                try await fixture.library.known(inFolder: nil)[InboxFixture.path("gone.jpg")] == nil
            }
            #expect(isForgotten)
        }
    }

    @Test("Files that arrive while new rules are adopted are judged by these")
    func rules() async throws {
        let files = 30
        let records = Atomic(0)
        let observer = InboxObserver(
            onRecord: { [fixture] in
                let number = records.wrappingAdd(1, ordering: .relaxed).newValue
                if number < files { try? fixture.write([1], to: "busy \(number).jpg") }
            })
        let inbox = try await fixture.inbox(observer: observer)
        try await fixture.running(inbox) {
            observer.stall()
            try fixture.write([1], to: "busy.jpg")
            await observer.untilStalled()
            var rules = InboxFixture.rules
            rules.ignorePatterns = ["busy*"]
            inbox.apply(rules)
            observer.resume()
            #expect(try await fixture.eventually { try await fixture.count(.ignored) == files })
        }
    }
}
