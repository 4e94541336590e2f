@testable import Inbox
import SystemPackage
import Testing

struct WatchCoverageTests {
    private var coverage = WatchCoverage()

    @Test("Nothing is polled if inotify covers the inbox")
    func complete() {
        #expect(coverage.gap == nil)
        #expect(coverage.stillness(atLeast: 0.5) == .seconds(0.5))
        #expect(coverage.stillness(atLeast: 0.5, isEmpty: true) == .seconds(10))
    }

    @Test("A reached limit is reported with its fix")
    mutating func limits() {
        coverage.refused = .noSpace
        #expect(coverage.gap?.contains("fs.inotify.max_user_watches") == true)
        coverage.refused = .tooManyOpenFiles
        #expect(coverage.gap?.contains("fs.inotify.max_user_instances") == true)
    }

    @Test("A file system that others write to is polled, and its files settle longer")
    mutating func silent() {
        coverage.silent = "NFS"
        #expect(coverage.gap?.contains("NFS") == true)
        #expect(coverage.stillness(atLeast: 0.5) == .seconds(5))
        #expect(coverage.stillness(atLeast: 30) == .seconds(30))
    }

    @Test("A gap is reported once, and so is its end")
    mutating func reported() {
        #expect([coverage.takeChange(), coverage.takeChange()] == [false, false])
        coverage.noteScan(missedFile: true)
        #expect([coverage.takeChange(), coverage.takeChange()] == [true, false])
        _ = scansUntilTrusted()
        #expect([coverage.takeChange(), coverage.takeChange()] == [true, false])
    }

    private mutating func scansUntilTrusted() -> Int {
        var count = 0
        while coverage.isPolled {
            coverage.noteScan(missedFile: false)
            count += 1
        }
        return count
    }

    @Test("Polling for a missed file ends after enough scans without another, and lasts twice as long each time")
    mutating func trust() {
        coverage.noteScan(missedFile: true)
        for _ in 0..<10 { coverage.noteScan(missedFile: false) }
        coverage.noteScan(missedFile: true)
        #expect(coverage.shouldBeComplete)
        #expect(scansUntilTrusted() == 64)
        coverage.noteScan(missedFile: true)
        #expect(scansUntilTrusted() == 128)
    }

    @Test("Mode inotify never polls")
    mutating func only() {
        coverage.mode = .inotify
        coverage.silent = "FUSE"
        #expect(!coverage.isPolled)
        coverage.refused = .noSpace
        #expect(!coverage.isPolled)
        #expect(coverage.gap?.contains("fs.inotify.max_user_watches") == true)
    }
}

struct PollingPaceTests {
    private var pace = PollingPace()

    @Test("A quiet inbox is polled less and less often, down to a limit")
    mutating func quiet() {
        let waits = (0..<20).map { _ in pace.next(after: .milliseconds(1), hasChanges: false, in: 2...60) }
        #expect(waits.first == .seconds(2))
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(waits.last == .seconds(60))
        #expect(pace.next(after: .milliseconds(1), hasChanges: true, in: 2...60) == .seconds(2))
    }

    @Test("Polling takes at most a fiftieth of the time")
    mutating func slow() {
        #expect(pace.next(after: .seconds(2), hasChanges: true, in: 2...60) == .seconds(100))
        #expect(pace.next(after: .milliseconds(500), hasChanges: true, in: 2...60) == .seconds(25))
    }
}
