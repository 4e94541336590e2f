import Glibc

/// Many photos at once through the daemon: time per photo relative to djpeg, memory, and activity once the queue is
/// empty.
struct BacklogMeasurement {
    let subject: Subject
    let set: PhotoSet
    let count: Int
    let rounds: Int
    let idleSeconds: Int

    private static let name = "backlog"
    /// In millions of bytes.
    private static let workerLimit = 90.0
    private static let daemonLimit = 80.0
    /// Longer than `watch.settleSeconds`, so that no file has to settle.
    private static let aging: UInt32 = 3
    /// Time for the work after the last sticker.
    private static let settling: UInt32 = 3

    func run(into report: inout Report) throws {
        var peaks: (daemon: [Double], workers: [Double]) = ([], [])
        var idleness: Idleness?
        let copies = set.copies(atLeast: count)
        let pace = try Pace(of: set, rounds: rounds) { round in
            let isLast = round == rounds - 1
            return try drain(copies) { daemon in
                if isLast { sleep(Self.settling) }
                let figures = try daemon.figures()
                guard !figures.workers.isEmpty else { throw BenchError("the daemon has no workers") }
                peaks.daemon.append(figures.daemon.peakMemory)
                peaks.workers += figures.workers.map(\.peakMemory)
                if isLast { idleness = try Idleness(of: daemon, seconds: idleSeconds) }
            }
        }
        Console.say("A backlog of \(copies.count) photos on \(subject.cores) cores, milliseconds:")
        Console.say(try StageLog(path: subject.folders(Self.name).log).table(of: set))
        pace.add("Backlog of photos, daemon from its start", of: subject, to: &report)
        report.add(
            "Peak memory of a worker", limit: Self.workerLimit, unit: "MB", measured: Sample(peaks.workers).worst,
            remark: "VmHWM, worst of \(peaks.workers.count)")
        report.add(
            "Peak memory of the daemon", limit: Self.daemonLimit, unit: "MB", measured: Sample(peaks.daemon).worst,
            remark: "VmHWM, worst of \(peaks.daemon.count)")
        idleness?.add(to: &report)
    }

    /// Time per photo from the start of the daemon, with all photos in its inbox, to the last sticker. `body` is called
    /// while the daemon still runs.
    private func drain(_ copies: Range<Int>, _ body: (DaemonUnderTest) throws -> Void) throws -> Double {
        let folders = subject.folders(Self.name)
        try folders.renew()
        _ = try set.fill(folders.inbox, with: copies)
        sleep(Self.aging)
        let daemon = try subject.daemon(Self.name)
        let stickers = copies.reduce(0) { $0 + set.stickers(ofCopy: $1) }
        var last = daemon.started
        for _ in 0..<stickers { last = try daemon.nextSticker() }
        try body(daemon)
        try daemon.stop()
        return daemon.started.duration(to: last).inMilliseconds / Double(copies.count)
    }
}
