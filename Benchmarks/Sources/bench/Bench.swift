import ArgumentParser
import Foundation

/// Compares the release binary with its performance limits.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure stickerd as people use it, and compare with its limits.",
        discussion: """
            Exits with status 1 where a number is missed. Times mean something on an idle machine only; the load is \
            said beside them.
            """)

    @Option(help: ArgumentHelp("The binary to measure, built in release mode.", valueName: "file"))
    var stickerd: String

    @Option(help: ArgumentHelp("Real photos, among them a JPEG of 12 megapixels.", valueName: "folder"))
    var photos: String?

    @Option(help: ArgumentHelp("The working folder, on a disk like the photos'. Emptied first.", valueName: "folder"))
    var scratch = ".build-bench"

    @Flag(help: "Fewer photos, shorter waits.")
    var quick = false

    func run() throws {
        let plan: Plan = quick ? .quick : .full
        let scratch = try ScratchFolder(path: scratch)
        let machine = Machine()
        let photo = try photos.map(Self.choose) ?? drawn(in: scratch)
        let binary = URL(fileURLWithPath: stickerd).path
        Console.say(
            """
            \(machine.description); \(Machine.load)
            Photo: \(photo.path), \(photo.width) × \(photo.height), \(photo.bytes / 1000) kB
            """)

        var report = Report()
        let subject = Subject(binary: binary, scratch: scratch, machine: machine)
        try SinglePhotoMeasurement(subject: subject, photo: photo, count: plan.singlePhotos).run(into: &report)
        try BacklogMeasurement(
            subject: subject, photo: photo, count: plan.backlog, rounds: plan.rounds, idleSeconds: plan.idleSeconds
        ).run(into: &report)
        try SmallPhotosMeasurement(subject: subject, count: plan.smallPhotos).run(into: &report)
        try RembgComparison(subject: subject, photo: photo, count: plan.rembgPhotos).run()
        try StartMeasurement(subject: subject, count: plan.libraryPhotos, starts: plan.starts).run(into: &report)

        // Keep the folder after an error: it has the daemons' logs.
        scratch.remove()
        Console.say("\n\(report.text)")
        if report.misses > 0 {
            Console.say("\(report.misses) missed")
            throw ExitCode.failure
        }
    }

    /// The photo closest to 12 megapixels.
    private static func choose(from folder: String) throws -> Photo {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let candidates = names.compactMap { Photo(path: folder + "/" + $0) }
            .filter { (11.5...13).contains($0.megapixels) }
        guard let photo = candidates.min(by: { abs($0.megapixels - 12.2) < abs($1.megapixels - 12.2) }) else {
            throw BenchError("\(folder) has no JPEG of 12 megapixels")
        }
        return photo
    }

    private func drawn(in scratch: ScratchFolder) throws -> Photo {
        let path = scratch.path(of: "drawn.jpg")
        try DrawnPhoto(width: 4032, height: 3024).write(to: path, quality: 93)
        guard let photo = Photo(path: path) else { throw BenchError("cjpeg made no JPEG") }
        return photo
    }
}
