import Foundation
import PhotoLibrary
import TestSupport
import Testing

@Suite("What the daemon tells", .timeLimit(.minutes(1)))
struct JournalTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    @Test("A line feed in a file name forges no line of the log")
    func forgery() async throws {
        try place.drop(Array("no photo".utf8), as: "a\n<0>stickerd: forged\u{1B}[2J.png")
        let daemon = try await place.start()
        #expect(try await eventually { place.count(.failed) == 1 })
        #expect(try await daemon.stop() == 0)
        let lines = daemon.errors.split(separator: "\n")
        #expect(lines.contains { $0.contains("forged") })
        #expect(lines.allSatisfy { $0.first == "<" && !$0.hasPrefix("<0>") })
        #expect(!daemon.errors.contains("\u{1B}"))
    }

    @Test("Each time the queue runs dry there is a summary, also where it took no time at all")
    func summaries() async throws {
        let daemon = try await place.start()
        // The second is dropped just after the daemon has looked, and done before it looks again.
        for number in 1...2 {
            try place.drop(Array("no photo \(number)".utf8), as: "\(number).jpg")
            #expect(
                try await eventually {
                    daemon.errors.split(separator: "\n").contains {
                        $0.contains("All photos are done") && $0.contains("failed=\(number)")
                    }
                })
        }
        #expect(try await daemon.stop() == 0)
        #expect(daemon.errors.contains("Stopped"))
    }
}
