import Foundation
import LinuxIO

/// Times that were recorded before, to see whether the clock was set back.
struct ClockFacts: Sendable {
    var now = Date()
    var isSynchronized = WallClock.isSynchronized
    /// Times that this machine's clock gave, and whose they are.
    var recorded: [(of: String, time: Date)] = []
    /// The photo that was modified last, by its own time, which other machines may have set.
    var newestFile: (path: String, modified: Date)?

    /// Clocks of file servers differ by seconds.
    private static let tolerance: TimeInterval = 120

    var findings: [Finding] {
        let time = now.formatted(.iso8601)
        let cure = "check the clock: timedatectl, and turn on its synchronization: sudo timedatectl set-ntp true"
        var findings: [Finding] = []
        if let last = recorded.max(by: { $0.time < $1.time }), isFuture(last.time) {
            let contradiction = "it is \(time), but \(last.of) is from \(last.time.formatted(.iso8601))"
            findings.append(
                isSynchronized
                    ? .note("clock", "\(contradiction): the clock was wrong then, and is synchronized now")
                    : .fault("clock", contradiction, cure: cure))
        }
        if let newestFile, isFuture(newestFile.modified) {
            let modified = newestFile.modified.formatted(.iso8601)
            findings.append(
                .note(
                    "clock", "it is \(time), but the photo \(newestFile.path) was modified \(modified)",
                    cure: "if this machine's clock is wrong, set it: sudo timedatectl set-ntp true"))
        }
        return findings.isEmpty ? [.ok("clock", "\(time); no recorded time is later")] : findings
    }

    private func isFuture(_ time: Date) -> Bool { time.timeIntervalSince(now) > Self.tolerance }
}
