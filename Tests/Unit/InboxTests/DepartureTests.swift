import Inbox
import PhotoLibrary
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("Files that leave the inbox while they are in progress", .timeLimit(.minutes(1)))
struct DepartureTests {
    private let fixture: InboxFixture

    init() throws {
        fixture = try InboxFixture()
        fixture.library.adopt(.withdraw)
    }

    /// Runs an inbox with one photo, which is in progress.
    private func watching(_ body: (Claim, InboxWatcher) async throws -> Void) async throws {
        try fixture.write([1], to: "A/photo.jpg")
        let inbox = try await fixture.inbox()
        try await fixture.running(inbox) {
            #expect(try await fixture.eventually { try await fixture.count(.pending) == 1 })
            try await body(try #require(try await fixture.library.claim(limit: 1).first), inbox)
        }
    }

    private func known() async throws -> Int {
        try await fixture.library.known(inFolder: InboxFixture.path("A")).count
    }

    /// Moves the folder out of the inbox until the Inbox has noticed it.
    private func moveOutAndBack(as name: String, _ inbox: InboxWatcher) async throws {
        try fixture.folder.rename("inbox/A", to: "aside")
        try await inbox.quiet(fixture.clock)
        try fixture.folder.rename("aside", to: "inbox/\(name)")
    }

    /// Lets the Inbox look for the file again.
    private func look(_ inbox: InboxWatcher) async throws {
        try await inbox.quiet(fixture.clock)
        fixture.clock.advance(by: .milliseconds(500))
        try await inbox.quiet(fixture.clock)
    }

    @Test("A file that stays away is forgotten once it is finished")
    func gone() async throws {
        try await watching { claim, inbox in
            try fixture.folder.remove("inbox/A")
            try await look(inbox)
            #expect(try await fixture.count(.processing) == 1)
            try await fixture.library.finish(claim, as: .failed(reason: "damaged"))
            #expect(try await fixture.eventually { try await known() == 0 })
        }
    }

    @Test("A file that is back as it was, with its folder, stays known")
    func back() async throws {
        try await watching { claim, inbox in
            try await moveOutAndBack(as: "A", inbox)
            try await fixture.library.finish(claim, as: .failed(reason: "damaged"))
            try await look(inbox)
            #expect(try await known() == 1)
        }
    }

    @Test("A file in a folder that was renamed stays known under its new path")
    func renamed() async throws {
        try await watching { claim, inbox in
            try await moveOutAndBack(as: "B", inbox)
            let folder = InboxFixture.path("B")
            #expect(try await fixture.eventually { try await fixture.library.known(inFolder: folder).count == 1 })
            try await fixture.library.finish(claim, as: .failed(reason: "damaged"))
            try await look(inbox)
            #expect(try await fixture.library.known(inFolder: folder).count == 1)
        }
    }
}
