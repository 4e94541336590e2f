import Glibc

/// One photo at a time on an idle daemon: the time from close(2) of the photo to rename(2) of its sticker.
struct SinglePhotoMeasurement {
    let subject: Subject
    let photo: Photo
    let count: Int

    private static let limit = 80.0
    private static let colorsLimit = 10.0
    /// The time between two photos: long enough for `pack.json` to be written and the daemon to be idle again.
    private static let pause: UInt32 = 1_200_000

    func run(into report: inout Report) throws {
        try subject.folders("single").renew()
        let daemon = try subject.daemon("single")
        var times: [Double] = []
        for number in 0..<count {
            usleep(Self.pause)
            let closing = try DroppedFile.write(
                photo.copy(number), to: daemon.folders.inbox + "/photo-\(number).jpg")
            times.append(closing.duration(to: try daemon.nextSticker()).inMilliseconds)
        }
        try daemon.stop()
        let sample = Sample(times)
        Console.say("One photo at a time, \(count) photos:")
        let stages = try StageTable(log: daemon.folders.log)
        Console.say(stages.text)
        report.add(
            "One 12-megapixel JPEG, close to rename", limit: Self.limit, unit: "ms", measured: sample.median,
            remark: "median; best \(Report.text(sample.best)), worst \(Report.text(sample.worst))")
        let colors = try stages.sample(of: "colors")
        report.add(
            "Colors of photo and subject", limit: Self.colorsLimit, unit: "ms", measured: colors.median,
            remark: "median; best \(Report.text(colors.best)), worst \(Report.text(colors.worst))")
    }
}
