import Glibc

/// The activity of a daemon and its workers while the queue is empty.
struct Idleness {
    /// Swift's runtime wakes the daemon once a second (libdispatch manages its threads), and one wake-up passes through
    /// several threads. A loop in stickerd that polled ten times a second would exceed this.
    private static let wakeupLimit = 5

    /// Percent of one core, for all processes together: rounds to 0 %. The wake-ups above cost about 0.1 %.
    private static let processorLimit = 0.4

    private let seconds: Int
    private let processes: Int
    private let processorTime: Double
    private let wakeups: Int

    /// Measures for `seconds`, while nothing else should run.
    init(of daemon: DaemonUnderTest, seconds: Int) throws {
        self.seconds = seconds
        let before = try daemon.figures()
        sleep(UInt32(seconds))
        let after = try daemon.figures()
        let pairs = zip([before.daemon] + before.workers, [after.daemon] + after.workers)
        guard before.workers.map(\.id) == after.workers.map(\.id) else { throw BenchError("a worker ended while idle") }
        processes = after.workers.count + 1
        processorTime = pairs.reduce(0) { $0 + $1.1.processorTime - $1.0.processorTime }
        wakeups = pairs.reduce(0) { $0 + $1.1.wakeups(since: $1.0) }
    }

    func add(to report: inout Report) {
        let remark = "\(processes) processes, \(seconds) s"
        report.add(
            "Processor time while nothing happens", limit: Self.processorLimit, unit: "%",
            measured: 100 * processorTime / Double(seconds * 1000), remark: remark)
        report.add(
            "Wake-ups while nothing happens", limit: Double(Self.wakeupLimit * processes), unit: "a second",
            measured: Double(wakeups) / Double(seconds), remark: remark)
    }
}
