import Foundation
import GRDB
import Glibc
import PackFacts
import SystemPackage
import Testing
import TestSupport

@Suite("Reloading the settings", .timeLimit(.minutes(1)))
struct ReloadTests {
    @Test("SIGHUP during the start does not end the daemon, which reads its settings again")
    func early() async throws {
        // On a busy machine, the settings may be read before this test has noticed that the daemon runs.
        var wasEarly = false
        for _ in 1...20 where !wasEarly { wasEarly = try await survivesHangup() }
        #expect(wasEarly)
    }

    /// Starts a daemon and signals it at once. Returns whether that was before it read its settings.
    private func survivesHangup() async throws -> Bool {
        let place = Workplace()
        let daemon = try StickerdProcess(["run"] + place.folders + place.config, in: place.folder)
        // Signal 1 is the lowest bit (proc(5)).
        func handlesHangup() -> Bool {
            ["SigIgn", "SigCgt"].contains { key in
                ProcessTable.status(of: daemon.id, key).flatMap { UInt64($0, radix: 16) }.map { $0 & 1 == 1 } ?? false
            }
        }
        // The shell's helpers before it may ignore it, too.
        func isStickerd() -> Bool { ProcessTable.status(of: daemon.id, "Name") == "stickerd" }
        #expect(try await eventually { isStickerd() && handlesHangup() })
        daemon.signal(SIGHUP)
        let isEarly = !place.folder.exists("outbox")
        try await daemon.said("Watching for photos")
        daemon.signal(SIGHUP)
        try await daemon.said("Settings reloaded")
        #expect(try await daemon.stop() == 0)
        return isEarly
    }

    @Test("A settings file that is missing at a reload changes nothing, for no command either")
    func missing() async throws {
        let place = Workplace()
        let file = "home/.config/stickerd/config.json"
        try place.folder.write(#"{"pack": {"publisher": "me"}, "exports": ["emoji"]}"#, to: file)
        let daemon = try StickerdProcess(["run"] + place.folders, in: place.folder)
        try await daemon.said("Watching for photos")
        try FileManager.default.removeItem(atPath: place.folder[file].string)
        daemon.signal(SIGHUP)
        try await daemon.said("config.json: missing; put it back")
        let remake = try StickerdProcess(["remake"] + place.folders, in: place.folder)
        #expect(try await remake.end() == 78)
        #expect(remake.errors.contains("config.json: cannot be read"), "\(remake.errors)")
        try place.drop(try Workplace.photo(), as: "a.png")
        #expect(try await eventually { try place.index()?.publisher == "me" })
        #expect(try await daemon.stop() == 0)
    }
    @Test("What could not be applied is named by the next reload, although no user requested that")
    func refused() async throws {
        let place = Workplace()
        let daemon = try await place.startAndRead()
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        let library = try DatabaseQueue(path: place.folder[place.library].string, configuration: configuration)
        try await library.write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER refusal BEFORE UPDATE ON meta WHEN NEW.key = 'keepsStems'
                    BEGIN SELECT RAISE(ABORT, 'refused'); END
                    """)
        }
        try place.configure(#"{"workers": 2, "pack": {"publisher": "me"}}"#)
        daemon.signal(SIGHUP)
        try await daemon.said("Cannot apply the new settings")
        try await library.write { try $0.execute(sql: "DROP TRIGGER refusal") }
        try library.close()
        try await place.command("retry", "--failed")
        try await daemon.said("; restart stickerd to apply workers\n")
        #expect(daemon.errors.matches(of: /Settings reloaded: .*pack.publisher/).count == 1, "\(daemon.errors)")
        #expect(try await eventually { try place.index()?.publisher == "me" })
        #expect(try await daemon.stop() == 0)
    }
}
