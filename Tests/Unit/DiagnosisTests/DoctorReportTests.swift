import Foundation
import Testing

@testable import Diagnosis

@Suite("The report of stickerd doctor")
struct DoctorReportTests {
    private let report = DoctorReport(findings: [
        .ok("inbox", "/in: ext4"), .fault("outbox", "/out\u{1B}[2J is missing", cure: "run: mount /out"),
    ])

    @Test("Each fault has its cure below it, and names cannot control the terminal")
    func text() {
        #expect(
            report.text == """
                ok     inbox       /in: ext4
                fault  outbox      /out\\x1b[2J is missing
                                   → run: mount /out
                1 fault
                """)
        #expect(report.hasFaults)
    }

    @Test("JSON has the same")
    func json() throws {
        let parsed = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
        #expect(parsed?["faults"] as? Int == 1)
        let findings = parsed?["findings"] as? [[String: String]]
        #expect(findings?.map { $0["level"] } == ["ok", "fault"] && findings?[1]["cure"] == "run: mount /out")
    }

    @Test("The cures of a daemon that is not the service name the user's own")
    func own() {
        let cure = "set it, and run: sudo systemctl restart stickerd; see sudo journalctl -u stickerd"
        #expect(
            Finding.fault("memory", "short", cure: cure).ofOwnDaemon.cure
                == "set it, and run: systemctl --user restart stickerd; see journalctl --user -u stickerd")
    }

    @Test("Without faults, notes included, all is well")
    func healthy() {
        let report = DoctorReport(findings: [.note("failed", "a.gif")])
        #expect(!report.hasFaults && report.text.hasSuffix("\nno faults"))
    }
}
