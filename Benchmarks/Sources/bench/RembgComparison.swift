import Foundation

/// The same photos through `stickerd make` and through rembg's folder mode, one after the other: both start, load their
/// network, and cut out all photos. No limit applies: the ratio is only printed.
struct RembgComparison {
    let subject: Subject
    let set: PhotoSet
    let count: Int

    private static let tool = "rembg"
    /// Named, because rembg's default network depends on its version: 2.0.86 no longer takes U²-Net.
    private static let network = "u2net"
    /// rembg downloads its network when it is used first.
    private static let hint = "its network may be missing: run `rembg i -m \(network)` on a photo once"

    func run() throws {
        guard let tool = Self.find(Self.tool) else {
            return Console.say("The comparison with rembg was left out: rembg is not in PATH.\n")
        }
        let folder = try subject.scratch.folder("rembg-photos")
        let photos = try set.fill(folder, with: set.copies(atLeast: count))
        let ours = try subject.make(photos, output: subject.scratch.folder("rembg-ours"))
        let output = try subject.scratch.folder("rembg-theirs")
        let theirs = try subject.run([tool, "p", "-m", Self.network, folder, output]).wait()
        let made = try FileManager.default.contentsOfDirectory(atPath: output).count
        guard theirs.status == 0, made == photos.count else {
            return Console.say(
                "The comparison with rembg was left out: `rembg p` ended with status \(theirs.status) and "
                    + "\(made) of \(photos.count) pictures; \(Self.hint).\n")
        }
        let count = Double(photos.count)
        let times = (ours: ours.inMilliseconds / count, theirs: theirs.wall.inMilliseconds / count)
        Console.say(
            "\(photos.count) photos on \(subject.cores) cores, starts included: stickerd make \(Report.text(times.ours)) ms a "
                + "photo, rembg p -m \(Self.network) \(Report.text(times.theirs)) ms, "
                + "\(Report.text(times.theirs / times.ours)) times as long.\n")
    }

    /// The path of a program in `PATH`.
    private static func find(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
