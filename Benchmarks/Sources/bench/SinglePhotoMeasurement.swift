import Glibc

/// One photo at a time on an idle daemon: the time from close(2) of the photo to rename(2) of its sticker, the last one
/// if it has several.
struct SinglePhotoMeasurement {
    /// Of a photo.
    enum Limit {
        /// Milliseconds from close to rename.
        case time(Double)
        /// Milliseconds of all processes, on average.
        case processorTime(Double)
        /// Millions of bytes of a worker.
        case memory(Double)
    }

    let subject: Subject
    let set: PhotoSet
    let name: String
    let limits: [Limit]
    let count: Int

    private static let folder = "single"
    /// Milliseconds.
    private static let colorsLimit = 10.0
    /// The time between two photos: long enough for `pack.json` to be written and the daemon to be idle again.
    private static let pause: UInt32 = 1_200_000

    func run(into report: inout Report) throws {
        try subject.folders(Self.folder).renew()
        let daemon = try subject.daemon(Self.folder)
        usleep(Self.pause)
        let before = try daemon.figures()
        let times = try drop(into: daemon)
        usleep(Self.pause)
        let after = try daemon.figures()
        try daemon.stop()

        let sample = Sample(times.joined())
        let stages = try StageLog(path: daemon.folders.log)
        var columns = [("close to rename", times.map { $0.isEmpty ? nil : Sample($0).median })]
        if set.photos.allSatisfy(\.isJPEG) { columns.append(("djpeg", try Djpeg.times(for: set))) }
        Console.say("\(name) at a time, \(sample.count) photos, milliseconds; each photo's are medians:")
        Console.say(stages.table(of: set, with: columns))
        for limit in limits {
            switch limit {
            case .time(let limit):
                report.add(
                    "\(name), close to rename", limit: limit, unit: "ms", measured: sample.median,
                    remark: "median; best \(Report.text(sample.best)), worst \(Report.text(sample.worst))")
            case .processorTime(let limit):
                let times = [before, after].map { ([$0.daemon] + $0.workers).reduce(0) { $0 + $1.processorTime } }
                report.add(
                    "\(name), processor time", limit: limit, unit: "ms",
                    measured: (times[1] - times[0]) / Double(sample.count), remark: "mean")
            case .memory(let limit):
                report.add(
                    "\(name), peak memory of a worker", limit: limit, unit: "MB",
                    measured: after.workers.map(\.peakMemory).max() ?? 0)
            }
        }
        let colors = try stages.sample(of: "colors")
        report.add(
            "\(name), colors of photo and subject", limit: Self.colorsLimit, unit: "ms", measured: colors.median,
            remark: "median; best \(Report.text(colors.best)), worst \(Report.text(colors.worst))")
    }

    /// Milliseconds from close to rename, of each photo's copies.
    private func drop(into daemon: DaemonUnderTest) throws -> [[Double]] {
        var times = [[Double]](repeating: [], count: set.photos.count)
        for number in set.copies(atLeast: count) where set.stickers(ofCopy: number) > 0 {
            let path = daemon.folders.inbox + "/" + PhotoSet.fileName(number)
            let closing = try DroppedFile.write(set.copy(number), to: path)
            var last = closing
            for _ in 0..<set.stickers(ofCopy: number) { last = try daemon.nextSticker() }
            times[set.index(ofCopy: number)].append(closing.duration(to: last).inMilliseconds)
            usleep(Self.pause)
        }
        return times
    }
}
