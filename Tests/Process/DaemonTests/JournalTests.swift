import Foundation
import PhotoRule
import TestSupport
import Testing

@Suite("The daemon's log", .timeLimit(.minutes(1)))
struct JournalTests {
    private let place = Workplace()

    @Test("A summary is logged each time the queue becomes empty, even if that takes no time")
    func summaries() async throws {
        let daemon = try await place.start()
        // As sync programs write them; no photo is finished.
        try place.drop([0], as: ".syncthing.1.jpg.tmp")
        #expect(try await eventually { place.count(.ignored) == 1 })
        // The second photo is dropped just after the daemon has checked the queue, and is done before the next check.
        for number in 1...2 {
            try place.drop(Array("GIF89a no photo \(number)".utf8), as: "\(number).jpg")
            let summary = "Finished: 0 stickers, \(number == 1 ? "1 photo" : "2 photos") failed\n"
            #expect(try await eventually { daemon.errors.contains(summary) })
        }
        #expect(try await daemon.stop() == 0)
        #expect(daemon.errors.contains("Stopped"))
        #expect(!daemon.errors.contains("Finished: 0 stickers\n"))
    }
}
