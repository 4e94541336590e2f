import Glibc

/// The start of a daemon with a long history: the time until it is ready, and the photos that it reads again.
///
/// The photos are copies of one small JPEG, each with another number appended; the daemon makes their stickers first.
/// inotify(7) reports each photo that is opened again.
struct StartMeasurement {
    let subject: Subject
    let count: Int
    let starts: Int

    private static let limit = 100.0
    private static let name = "library"
    private static let drawnSide = 64
    /// Small stickers are made faster, and do not affect the start.
    private static let environment = ["STICKERD_STICKER_SIZE": "96", "STICKERD_LOG_LEVEL": "warning"]
    /// Time for the work after the scan of the inbox.
    private static let settling = Duration.seconds(1)
    private static let scanLimit = Duration.seconds(60)

    func run(into report: inout Report) throws {
        let folders = subject.folders(Self.name)
        try folders.renew()
        try fill()
        var readiness: [Double] = []
        var opened = 0
        for _ in 0..<starts {
            let inbox = try FolderWatch(folders.inbox, kinds: IN_OPEN)
            let daemon = try subject.daemon(Self.name, environment: Self.environment)
            readiness.append(daemon.readiness.inMilliseconds)
            try waitForScan()
            while try inbox.next(within: Self.settling) != nil { opened += 1 }
            try daemon.stop()
        }
        let status = try subject.status(Self.name)
        guard status.count("done") == count else {
            throw BenchError("\(status.count("done")) photos are done, not \(count)")
        }
        let sample = Sample(readiness)
        report.add(
            "READY with \(count) photos done", limit: Self.limit, unit: "ms", measured: sample.median,
            remark: "median of \(starts) starts; worst \(Report.text(sample.worst))")
        report.add(
            "Photos opened again by \(starts) starts", limit: 0, unit: "photos", measured: Double(opened),
            remark: "IN_OPEN in the inbox")
    }

    /// Lets the daemon process all photos once.
    private func fill() throws {
        let folders = subject.folders(Self.name)
        let path = subject.scratch.path(of: "small.jpg")
        let photo = try DrawnPhoto(width: Self.drawnSide, height: Self.drawnSide).write(to: path, quality: 75)
        for number in 0..<count {
            _ = try DroppedFile.write(photo.copy(number), to: "\(folders.inbox)/photo-\(number).jpg")
        }
        let daemon = try subject.daemon(Self.name, environment: Self.environment)
        var last = daemon.started
        for _ in 0..<count { last = try daemon.nextSticker() }
        // A clean stop records that the last photo is finished.
        try daemon.stop()
        Console.say(
            "\(count) small photos made into stickers first, in \(Report.text(daemon.started.duration(to: last).inSeconds)) s"
        )
    }

    private func waitForScan() throws {
        let deadline = ContinuousClock.now.advanced(by: Self.scanLimit)
        while try !subject.status(Self.name).isDrained {
            guard ContinuousClock.now < deadline else { throw BenchError("the scan of the inbox does not end") }
            usleep(100_000)
        }
    }
}
