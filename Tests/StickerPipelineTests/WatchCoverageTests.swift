import StickerPipeline
import SystemPackage
import Testing

struct WatchCoverageTests {
    private var coverage = WatchCoverage()

    @Test("Where the kernel tells of everything nothing is polled")
    func complete() {
        #expect(coverage.gap == nil)
        #expect(coverage.stillness(atLeast: 0.5) == .seconds(0.5))
        #expect(coverage.stillness(atLeast: 0.5, isEmpty: true) == .seconds(10))
    }

    @Test("A limit that is reached is named, with what to do")
    mutating func limits() {
        coverage.refused = .noSpace
        #expect(coverage.gap?.contains("fs.inotify.max_user_watches") == true)
        coverage.refused = .tooManyOpenFiles
        #expect(coverage.gap?.contains("fs.inotify.max_user_instances") == true)
    }

    @Test("A file system that others write to is polled, and a file there must be still for longer")
    mutating func silent() {
        coverage.silent = "NFS"
        #expect(coverage.gap?.contains("NFS") == true)
        #expect(coverage.stillness(atLeast: 0.5) == .seconds(5))
        #expect(coverage.stillness(atLeast: 30) == .seconds(30))
    }

    @Test("What is said is said once, and once more when it is over")
    mutating func said() {
        #expect([coverage.isNews(), coverage.isNews()] == [false, false])
        coverage.wasDeaf = true
        #expect([coverage.isNews(), coverage.isNews()] == [true, false])
        coverage.wasDeaf = false
        #expect([coverage.isNews(), coverage.isNews()] == [true, false])
    }

    @Test("Who asks for inotify alone gets nothing else")
    mutating func only() {
        coverage.mode = .inotify
        coverage.silent = "FUSE"
        #expect(!coverage.isPolled)
        coverage.refused = .noSpace
        #expect(!coverage.isPolled)
        #expect(coverage.gap?.contains("fs.inotify.max_user_watches") == true)
    }
}
