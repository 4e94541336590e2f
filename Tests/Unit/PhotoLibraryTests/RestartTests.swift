import FileNames
import LibraryCommands
import PhotoLibrary
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("Restarts")
struct RestartTests {
    @Test("A photo in progress at each crash fails after the last one")
    func failed() async throws {
        let folder = try TemporaryFolder()
        for attempt in 1...Library.maxCrashes {
            let fixture = try LibraryFixture(in: folder)
            try await fixture.arrive("killer.jpg")
            #expect(try await fixture.library.recover().isEmpty)
            #expect(try await fixture.next().attempts == attempt)
        }
        let library = try LibraryFixture(in: folder).library
        #expect(try await library.recover().map(\.description) == ["killer.jpg"])
        #expect(try await library.status().photos[.failed] == 1)
        let story = try #require(try PhotoStory.read(of: "killer.jpg", in: folder.path))
        #expect(story.file.reason == "stickerd stopped unexpectedly 3 times while this photo was in progress")
        #expect(story.attempts.map(\.outcome) == ["stickerd ended", "stickerd ended", "stickerd ended"])
        #expect(story.attempts.allSatisfy { $0.detail == "the only photo in progress" })
    }

    @Test("Ignored files are checked again only if the rules changed")
    func ignoreRules() async throws {
        let library = try LibraryFixture().library
        try await library.adoptIgnoreRules("*.tmp", isIgnored: { _ in false })
        _ = try await library.record([
            Arrival(
                path: LibraryFixture.path("a.tmp"), identity: LibraryFixture.identity(),
                verdict: .ignored(reason: "pattern"))
        ])
        try await library.adoptIgnoreRules("*.tmp", isIgnored: { _ in false })
        #expect(try await library.known(inFolder: nil).count == 1)
        try await library.adoptIgnoreRules("*.part", isIgnored: { _ in false })
        #expect(try await library.known(inFolder: nil).isEmpty)
    }

    @Test("A second daemon on the same state folder is refused")
    func locked() throws {
        let fixture = try LibraryFixture()
        let error = #expect(throws: LibraryError.self) { try LibraryFixture(in: fixture.folder) }
        #expect(error?.code == .inUse)
    }

    @Test("The status is readable while the daemon runs and after it; scanning ends with the daemon")
    func status() async throws {
        let folder = try TemporaryFolder()
        do {
            let fixture = try LibraryFixture(in: folder)
            try await fixture.arrive("a")
            try await fixture.library.setScanning(true)
            let status = try Library.status(in: folder.path)
            #expect(status.photos[.pending] == 1)
            #expect(status.scanning)
        }
        #expect(try !Library.status(in: folder.path).scanning)
        let error = #expect(throws: LibraryError.self) { try Library.status(in: try TemporaryFolder().path) }
        #expect(error?.code == .missing)
    }
}
