import ArgumentParser
import Foundation

/// Compares the release binary with its performance limits.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure stickerd as people use it, and compare with its limits.",
        discussion: """
            Exits with status 1 if a limit is missed. Times mean something on an idle machine only; the load average is \
            printed, too.
            """)

    @Option(help: ArgumentHelp("The binary to measure, built in release mode.", valueName: "file"))
    var stickerd: String

    @Option(help: ArgumentHelp("The photos, as Benchmarks/photos.py makes them.", valueName: "folder"))
    var photos: String

    @Option(help: ArgumentHelp("The working folder, on a disk like the photos'. Emptied first.", valueName: "folder"))
    var scratch = ".build-bench"

    @Flag(help: "Fewer photos, shorter waits.")
    var quick = false

    @Flag(help: "Only the web photos.")
    var webOnly = false

    func run() throws {
        let scratch = try ScratchFolder(path: scratch)
        let machine = Machine()
        let subject = Subject(binary: URL(fileURLWithPath: stickerd).path, scratch: scratch, machine: machine)
        Console.say("\(machine.description); \(Machine.load)")
        var report = Report()
        if !webOnly { try measure(subject, into: &report) }
        try WebPhotosMeasurement(subject: subject, photos: Photo.all(in: "\(photos)/web")).run(into: &report)

        // Keep the folder after an error: it has the daemons' logs.
        scratch.remove()
        Console.say("\n\(report.text)")
        if report.misses > 0 {
            Console.say("\(report.misses) missed")
            throw ExitCode.failure
        }
    }

    private func measure(_ subject: Subject, into report: inout Report) throws {
        let plan: Plan = quick ? .quick : .full
        let drawn = try DrawnPhoto(width: 4032, height: 3024)
            .write(to: subject.scratch.path(of: "drawn.jpg"), quality: 93)
        guard let set = try PhotoSet(Photo.all(in: "\(photos)/large"), for: subject),
            let drawn = try PhotoSet([drawn], for: subject)
        else { throw BenchError("no photo becomes a sticker") }
        Console.say("\(set.photos.count) photos, of which \(set.stickers.count { $0 > 0 }) become stickers\n")
        try SinglePhotoMeasurement(
            subject: subject, set: set, name: "One photo", limits: [.time(75)], count: plan.singlePhotos
        ).run(into: &report)
        if let set = try PhotoSet(Photo.all(in: "\(photos)/heic"), for: subject) {
            try SinglePhotoMeasurement(
                subject: subject, set: set, name: "One HEIC photo",
                limits: [.time(200), .processorTime(250), .memory(110)], count: plan.singlePhotos
            ).run(into: &report)
        }
        try BacklogMeasurement(
            subject: subject, set: set, count: plan.backlog, rounds: plan.rounds, idleSeconds: plan.idleSeconds
        ).run(into: &report)
        for (name, set) in [("photos", set), ("a drawn photo", drawn)] {
            try MakeMeasurement(
                subject: subject, set: set, name: "Backlog of \(name), stickerd make", count: plan.backlog,
                rounds: plan.rounds
            ).run(into: &report)
        }
        try RembgComparison(subject: subject, set: set, count: plan.rembgPhotos).run()
        try StartMeasurement(subject: subject, count: plan.libraryPhotos, starts: plan.starts).run(into: &report)
    }
}
