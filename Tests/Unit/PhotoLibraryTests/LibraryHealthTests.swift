import Foundation
import GRDB
import LibraryCommands
import PhotoLibrary
import TestSupport
import Testing

@Suite("What a Library shows of faults")
struct LibraryHealthTests {
    @Test("The last failures come first, up to a limit, and times may lie in the future")
    func health() async throws {
        let fixture = LibraryFixture()
        let empty = try LibraryHealth(of: fixture.folder.path)
        #expect(empty.failed == 0 && empty.failures.isEmpty && empty.latest == nil && empty.newestFile == nil)
        let inFuture: Int64 = 4_000_000_000_000_000_000
        for number in 1...4 {
            try await fixture.arrive("\(number).jpg", version: number == 3 ? inFuture : Int64(number))
            try await fixture.library.finish(fixture.next(), as: .failed(reason: "broken"))
        }
        let health = try LibraryHealth(of: fixture.folder.path)
        #expect(health.failed == 4 && health.failures.count == LibraryHealth.maxFailures)
        #expect(health.failures.map(\.stateSince) == health.failures.map(\.stateSince).sorted(by: >))
        #expect(abs(try #require(health.latest).timeIntervalSinceNow) < 60)
        #expect(health.newestFile?.path == "3.jpg")
        #expect(health.newestFile?.modified == Date(timeIntervalSince1970: 4_000_000_000))
    }

    @Test("A time that was recorded before the clock was set back is the latest")
    func clock() async throws {
        let fixture = LibraryFixture()
        try await fixture.arrive("a.jpg")
        try await fixture.library.finish(fixture.next(), as: .failed(reason: "broken"))
        try Library.writing(in: fixture.folder.path) {
            try $0.execute(sql: "UPDATE attempt SET started = '2999-01-01 00:00:00.000'")
        }
        let latest = try #require(try LibraryHealth(of: fixture.folder.path).latest)
        #expect(latest.formatted(.iso8601) == "2999-01-01T00:00:00Z")
    }
}
