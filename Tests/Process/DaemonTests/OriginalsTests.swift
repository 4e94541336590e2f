import Foundation
import Glibc
import LinuxIO
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("Moving originals out of the inbox", .timeLimit(.minutes(1)))
struct OriginalsTests {
    private func settings(_ more: String) -> String { Workplace.settings(", \(more)") }

    private func files(_ place: Workplace, _ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: place.folder[folder].string).filter { $0.contains(".") }
    }

    @Test(
        "A folder that stickerd cannot write to is logged once, and does not keep other photos in the inbox",
        .enabled(if: geteuid() == 0, "only root can give a folder away"))
    func closedFolder() async throws {
        let place = Workplace(settings: settings(#""originals": {"mode": "archive"}"#))
        try place.folder.write([], to: "inbox/Holiday/.keep")
        for number in 1...5 {
            try place.drop(try Workplace.photo(red: UInt8(90 + 8 * number)), as: "Holiday/\(number).png")
        }
        // The string outlives the call.
        _ = try Errno.retry { unsafe chown(place.folder["inbox/Holiday"].string, 65534, 65534) }
        let daemon = try await place.start(mayReadAll: false)
        #expect(try await eventually { place.count(.done) == 5 })
        try place.drop(try Workplace.photo(red: 80), as: "a.png")
        #expect(try await eventually { try !files(place, "inbox").contains("a.png") && place.count(.done) == 6 })
        #expect(try await daemon.stop() == 0)
        #expect(try files(place, "inbox").count == 6)
        let complaints = daemon.errors.split(separator: "\n").filter { $0.contains("cannot be moved out of the inbox") }
        #expect(complaints.count == 1, "\(daemon.errors)")
        #expect(complaints.first?.contains("Holiday") == true && complaints.first?.contains("chmod g+w") == true)
    }
}
