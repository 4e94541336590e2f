import Foundation

/// The output of `stickerd doctor`.
package struct DoctorReport: Sendable, Equatable {
    let findings: [Finding]

    private var faults: Int { findings.count { $0.level == .fault } }

    package var hasFaults: Bool { faults > 0 }

    /// A line for each finding, what to do below it, and the number of faults.
    package var text: String {
        let lines = findings.flatMap { finding in
            ["\(padded(finding.level.rawValue, 7))\(padded(finding.subject, 12))\(finding.text)"]
                + (finding.cure.map { [padded("", 19) + "→ \($0)"] } ?? [])
        }
        let end = faults == 0 ? "no faults" : faults == 1 ? "1 fault" : "\(faults) faults"
        return (lines + [end]).joined(separator: "\n")
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    /// `{"faults": 1, "findings": [{"level": "fault", "subject": "inbox", "text": …, "cure": …}]}`.
    package var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(Report(faults: faults, findings: findings)), as: UTF8.self)
        }
    }

    private struct Report: Encodable {
        let faults: Int
        let findings: [Finding]
    }
}
