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

    func run() throws {
        let plan: Plan = quick ? .quick : .full
        let scratch = try ScratchFolder(path: scratch)
        let machine = Machine()
        let subject = Subject(binary: URL(fileURLWithPath: stickerd).path, scratch: scratch, machine: machine)
        let set = try PhotoSet(PhotoSet.jpegs(in: "\(photos)/large"), for: subject)
        let web = try PhotoSet.jpegs(in: "\(photos)/web")
        let drawn = try DrawnPhoto(width: 4032, height: 3024).write(to: scratch.path(of: "drawn.jpg"), quality: 93)
        Console.say(
            """
            \(machine.description); \(Machine.load)
            \(set.photos.count) photos, of which \(set.stickers.count { $0 > 0 }) become stickers; \(web.count) web photos

            """)

        var report = Report()
        try SinglePhotoMeasurement(subject: subject, set: set, count: plan.singlePhotos).run(into: &report)
        try BacklogMeasurement(
            subject: subject, set: set, count: plan.backlog, rounds: plan.rounds, idleSeconds: plan.idleSeconds
        ).run(into: &report)
        try MakeMeasurement(
            subject: subject, set: set, name: "Backlog, stickerd make", count: plan.backlog, rounds: plan.rounds
        ).run(into: &report)
        try MakeMeasurement(
            subject: subject, set: PhotoSet([drawn], for: subject), name: "Backlog of a drawn photo, stickerd make",
            count: plan.backlog, rounds: plan.rounds
        ).run(into: &report)
        try WebPhotosMeasurement(subject: subject, photos: web).run(into: &report)
        try RembgComparison(subject: subject, set: set, count: plan.rembgPhotos).run()
        try StartMeasurement(subject: subject, count: plan.libraryPhotos, starts: plan.starts).run(into: &report)

        // Keep the folder after an error: it has the daemons' logs.
        scratch.remove()
        Console.say("\n\(report.text)")
        if report.misses > 0 {
            Console.say("\(report.misses) missed")
            throw ExitCode.failure
        }
    }
}
