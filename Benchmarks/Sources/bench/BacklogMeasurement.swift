import Foundation

/// Many photos at once: time per photo relative to djpeg, memory, and activity once the queue is empty.
///
/// djpeg and stickerd run alternately, so that both have the same load; each round is compared with its own djpeg.
struct BacklogMeasurement {
    let subject: Subject
    let photo: Photo
    let count: Int
    let rounds: Int
    let idleSeconds: Int

    /// Wall time per photo, in multiples of djpeg's, on two cores.
    private static let ratioLimit = 1.3
    private static let promisedCores = 2.0
    /// In millions of bytes.
    private static let workerLimit = 110.0
    private static let daemonLimit = 80.0
    private static let djpegRuns = 5
    /// Longer than `watch.settleSeconds`, so that no file has to settle.
    private static let aging: UInt32 = 3
    /// Time for the work after the last sticker.
    private static let settling: UInt32 = 3

    /// Milliseconds per photo, and multiples of djpeg's.
    private struct Pace {
        var times: [Double] = []
        var ratios: [Double] = []
    }

    func run(into report: inout Report) throws {
        var daemonPace = Pace()
        var makePace = Pace()
        var djpeg = try djpegTimes()
        var peaks: (daemon: [Double], workers: [Double]) = ([], [])
        var idleness: Idleness?
        for round in 0..<rounds {
            let isLast = round == rounds - 1
            let time = try drainedByDaemon { daemon in
                if isLast { sleep(Self.settling) }
                let figures = try daemon.figures()
                guard !figures.workers.isEmpty else { throw BenchError("the daemon has no workers") }
                peaks.daemon.append(Self.megabytes(figures.daemon))
                peaks.workers += figures.workers.map(Self.megabytes)
                if isLast { idleness = try Idleness(of: daemon, seconds: idleSeconds) }
            }
            let between = try djpegTimes()
            daemonPace.times.append(time)
            daemonPace.ratios.append(time / Sample(djpeg + between).median)
            let makeTime = try madeByCommand()
            djpeg = try djpegTimes()
            makePace.times.append(makeTime)
            makePace.ratios.append(makeTime / Sample(between + djpeg).median)
        }
        Console.say(
            "A backlog of \(count) photos on \(subject.cores) cores; djpeg -scale 1/4 takes \(Report.text(Sample(djpeg).median)) ms:"
        )
        Console.say(try StageTable(log: subject.folders("backlog").log).text)
        add(daemonPace, "Backlog, daemon from its start", into: &report)
        add(makePace, "Backlog, stickerd make", into: &report)
        report.add(
            "Peak memory of a worker", limit: Self.workerLimit, unit: "MB", measured: Sample(peaks.workers).worst,
            remark: "VmHWM, worst of \(peaks.workers.count)")
        report.add(
            "Peak memory of the daemon", limit: Self.daemonLimit, unit: "MB", measured: Sample(peaks.daemon).worst,
            remark: "VmHWM, worst of \(peaks.daemon.count)")
        idleness?.add(to: &report)
    }

    private func add(_ pace: Pace, _ name: String, into report: inout Report) {
        let limit = Self.ratioLimit * Self.promisedCores / Double(subject.cores)
        let ratios = Sample(pace.ratios)
        let time = Sample(pace.times).median
        report.add(
            name, limit: limit, unit: "× djpeg", measured: ratios.median,
            remark: "\(Report.text(time)) ms a photo, \(Report.text(1000 / time)) a second; worst "
                + "\(Report.text(ratios.worst)) ×")
    }

    /// Time per photo from the start of the daemon, with all photos in its inbox, to the last sticker. `body` is called
    /// while the daemon still runs.
    private func drainedByDaemon(_ body: (DaemonUnderTest) throws -> Void) throws -> Double {
        let folders = subject.folders("backlog")
        try folders.renew()
        _ = try fill(folders.inbox)
        sleep(Self.aging)
        let daemon = try subject.daemon("backlog")
        var last = daemon.started
        for _ in 0..<count { last = try daemon.nextSticker() }
        try body(daemon)
        try daemon.stop()
        return daemon.started.duration(to: last).inMilliseconds / Double(count)
    }

    private func madeByCommand() throws -> Double {
        let photos = try fill(subject.scratch.folder("make-photos"))
        let ending = try subject.make(photos, output: subject.scratch.folder("make-stickers")).wait()
        guard ending.status == 0 else { throw BenchError("stickerd make ended with status \(ending.status)") }
        return ending.wall.inMilliseconds / Double(count)
    }

    private func fill(_ folder: String) throws -> [String] {
        let paths = try photo.copies(count, in: folder)
        // Let the disk finish writing the photos.
        sync()
        return paths
    }

    private func djpegTimes() throws -> [Double] {
        try (0..<Self.djpegRuns).map { _ in
            let ending = try ChildProcess(["djpeg", "-scale", "1/4", photo.path]).wait()
            guard ending.status == 0 else { throw BenchError("djpeg ended with status \(ending.status)") }
            return ending.wall.inMilliseconds
        }
    }

    private static func megabytes(_ figures: ProcessFigures) -> Double {
        Double(figures.peakMemory) * 1024 / 1_000_000
    }
}
