import Glibc

/// One photo at a time on an idle daemon: the time from close(2) of the photo to rename(2) of its sticker, the last one
/// if it has several.
struct SinglePhotoMeasurement {
    let subject: Subject
    let set: PhotoSet
    let count: Int

    private static let name = "single"
    private static let limit = 75.0
    private static let colorsLimit = 10.0
    /// The time between two photos: long enough for `pack.json` to be written and the daemon to be idle again.
    private static let pause: UInt32 = 1_200_000

    func run(into report: inout Report) throws {
        try subject.folders(Self.name).renew()
        let daemon = try subject.daemon(Self.name)
        var times = [[Double]](repeating: [], count: set.photos.count)
        for number in set.copies(atLeast: count) where set.stickers(ofCopy: number) > 0 {
            usleep(Self.pause)
            let path = daemon.folders.inbox + "/" + PhotoSet.fileName(number)
            let closing = try DroppedFile.write(set.copy(number), to: path)
            var last = closing
            for _ in 0..<set.stickers(ofCopy: number) { last = try daemon.nextSticker() }
            times[set.index(ofCopy: number)].append(closing.duration(to: last).inMilliseconds)
        }
        try daemon.stop()
        let sample = Sample(times.joined())
        let stages = try StageLog(path: daemon.folders.log)
        Console.say("One photo at a time, \(sample.count) photos, milliseconds, close to rename and djpeg are medians:")
        Console.say(
            stages.table(
                of: set,
                with: [
                    ("close to rename", times.map { $0.isEmpty ? nil : Sample($0).median }),
                    ("djpeg", try Djpeg.times(for: set)),
                ]))
        report.add(
            "One 12-megapixel JPEG, close to rename", limit: Self.limit, unit: "ms", measured: sample.median,
            remark: "median; best \(Report.text(sample.best)), worst \(Report.text(sample.worst))")
        let colors = try stages.sample(of: "colors")
        report.add(
            "Colors of photo and subject", limit: Self.colorsLimit, unit: "ms", measured: colors.median,
            remark: "median; best \(Report.text(colors.best)), worst \(Report.text(colors.worst))")
    }
}
