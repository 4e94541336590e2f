import Glibc

/// Many photos as they are found on the web, all different: through the daemon and through `stickerd make`. With enough
/// of them, also whether the daemon becomes slower while its pack grows.
struct WebPhotosMeasurement {
    let subject: Subject
    let photos: [Photo]

    private static let name = "web"
    /// In milliseconds: 50 photos a second.
    private static let limit = 20.0
    /// Time per photo at the end, in multiples of that at the beginning.
    private static let growthLimit = 1.1
    /// The stickers whose times are compared, at the beginning and at the end.
    private static let stretch = 1000
    /// More photos make no difference to `stickerd make`.
    private static let mostMade = 200
    private static let aging: UInt32 = 3
    /// The daemon needs less for any sticker.
    private static let patience = Duration.seconds(2)

    func run(into report: inout Report) throws {
        let paths = photos.prefix(Self.mostMade).map(\.path)
        let made = try subject.make(paths, output: subject.scratch.folder("web-stickers"))
        add("Web photos, stickerd make", made.inMilliseconds / Double(paths.count), to: &report)

        let folders = subject.folders(Self.name)
        try folders.renew()
        for (number, photo) in photos.enumerated() {
            _ = try DroppedFile.write(photo.copy(number), to: "\(folders.inbox)/\(PhotoSet.fileName(number))")
        }
        sync()
        sleep(Self.aging)
        let daemon = try subject.daemon(Self.name)
        var times = [daemon.started]
        var used = [0.0]
        while try !subject.status(Self.name).isDrained {
            while let time = try daemon.sticker(within: Self.patience) {
                times.append(time)
                if times.count % Self.stretch == 1 { used.append(try daemon.figures().daemon.processorTime) }
            }
        }
        try daemon.stop()
        let last = times[times.count - 1]
        Console.say("\(photos.count) web photos, of which the daemon made \(times.count - 1) stickers, milliseconds:")
        Console.say(try StageLog(path: folders.log).table())
        add(
            "Web photos, daemon from its start",
            daemon.started.duration(to: last).inMilliseconds / Double(photos.count), to: &report)
        addGrowth(times, used, to: &report)
    }

    /// - Parameters:
    ///   - times: the start, then when each sticker was finished.
    ///   - used: the daemon's own processor time at the start and after each stretch, in milliseconds.
    private func addGrowth(_ times: [ContinuousClock.Instant], _ used: [Double], to report: inout Report) {
        let rates = (0..<(times.count - 1) / Self.stretch).map { number in
            let (start, end) = (times[number * Self.stretch], times[(number + 1) * Self.stretch])
            return Double(Self.stretch) / start.duration(to: end).inSeconds
        }
        guard let first = rates.first, let last = rates.last, rates.count > 2 else { return }
        let costs = zip(used.dropFirst(), used).map { ($0 - $1) / Double(Self.stretch) }
        Console.say(
            """
            By \(Self.stretch), stickers a second: \(rates.map(Report.text).joined(separator: " "))
            Milliseconds of the daemon's processor time for one: \(costs.map(Report.text).joined(separator: " "))

            """)
        report.add(
            "The last \(Self.stretch) web photos' stickers", limit: Self.growthLimit, unit: "× the first",
            measured: first / last,
            remark: "\(Report.text(first)) a second at first, \(Report.text(last)) at the end")
        report.add(
            "The same, processor time of the daemon", limit: Self.growthLimit, unit: "× the first",
            measured: costs[costs.count - 1] / costs[0], remark: "a busy machine distorts this less")
    }

    private func add(_ name: String, _ time: Double, to report: inout Report) {
        report.add(
            name, limit: subject.scaled(Self.limit), unit: "ms", measured: time,
            remark: "\(Report.text(1000 / time)) a second")
    }
}
