import DaemonSettings
import Foundation
import PhotoCodecs
import Processing
import Testing
import TestSupport

@Suite("The units")
struct UnitTests {
    @Test("Memory limits match the settings' defaults", arguments: ["stickerd.service", "user/stickerd.service"])
    func memory(unit: String) throws {
        let file = Repository.root.appending(path: "systemd/\(unit)")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let photo = try SettingsFixture().load().processing.limits.maxMemory >> 20
        let high = 128 + 16 * (128 + photo)
        #expect(lines.contains("MemoryHigh=\(high)M"))
        #expect(lines.contains("MemoryMax=\(high + 1024 + 2 * photo)M"))
    }
}
