import ArgumentParser
import Conditions
import FileNames
import Foundation
import Glibc
import LinuxIO
import Logging
import Outbox
import Packs
import PhotoCodecs
import PhotoLibrary
import Processing
import StickerPipeline
import SystemPackage
import Workers

/// Measures how many photos a second the daemon's own parts handle with a number of sleeping workers, and how many
/// fsyncs the disk does.
struct Simulation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulation", abstract: "Process photos with workers that only sleep.")

    @Option(help: "Numbers of workers, separated by commas.") var workers = "1,2,4,8,16,32,64"
    // They stay until the end: for minutes, ext4 searches a long way past the inodes of deleted files for each new one.
    @Option(help: "A folder on the disk to be measured; the simulation's folders are made in it.") var folder: String
    @Option(help: "Seconds that each measurement should take.") var seconds = 3.0

    /// The most photos of one measurement.
    private static let maxPhotos = 5_000
    /// How long a measurement waits between two looks at the counts.
    private static let poll = Duration.milliseconds(10)
    private static let fsyncSeconds = 1.0

    func run() async throws {
        for text in workers.split(separator: ",") {
            guard let count = Int(text), count > 0 else { throw ValidationError("--workers has \(text)") }
            let before = try fsyncRate()
            let result = try await measure(count)
            let fsyncs = (before + (try fsyncRate())) / 2
            print(
                String(
                    format: #"{"workers":%d,"photos":%.1f,"ideal":%.1f,"fsyncs":%.1f,"processor":%.3f}"#,
                    count, result.rate, Double(count) * 1000 / Double(StandInWorker.sleepMilliseconds), fsyncs,
                    result.processor))
        }
    }

    /// Photos a second, and milliseconds of this process's processor time for each.
    private func measure(_ count: Int) async throws -> (rate: Double, processor: Double) {
        let place = try Place(in: FilePath(folder).appending("workers-\(count)"))
        let pipeline = try place.pipeline(workers: count)
        let (pool, processor, packs) = (pipeline.workers, pipeline.processor, pipeline.packs)
        async let poolEnd: Void = pool.run()
        async let processorEnd: Void = processor.run()
        async let packsEnd: Void = packs.run()
        // Until all workers have started.
        try await place.drop(count * 4, as: "warm-up")
        try await drain(pipeline)
        try await Task.sleep(for: .milliseconds(500 + 20 * count))
        let rate = Double(count) * 1000 / Double(StandInWorker.sleepMilliseconds)
        let photos = max(20, min(Self.maxPhotos, Int(min(rate, 1200) * seconds)))
        try await place.drop(photos, as: "photo")
        let (start, used) = (ContinuousClock.now, ProcessorTime.now)
        try await drain(pipeline)
        let elapsed = start.duration(to: .now) / .seconds(1)
        guard try await pipeline.library.status().stickers == count * 4 + photos else {
            throw ValidationError("not every photo became a sticker")
        }
        let each = (ProcessorTime.now - used) * 1000 / Double(photos)
        await processor.stop()
        try await processorEnd
        packs.stop()
        try await packsEnd
        await pool.stop()
        try await poolEnd
        try place.library.close()
        return (Double(photos) / elapsed, each)
    }

    private func drain(_ pipeline: Pipeline) async throws {
        pipeline.processor.wake()
        while try await !pipeline.library.status().isDrained { try await Task.sleep(for: Self.poll) }
    }

    /// How many times a second one thread can append 4096 bytes to a file and sync it.
    private func fsyncRate() throws -> Double {
        let path = FilePath(folder).appending("fsync")
        let file = try OwnedDescriptor(
            opening: path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        defer { try? FileManager.default.removeItem(atPath: path.string) }
        let block = [UInt8](repeating: 1, count: 4096)
        let start = ContinuousClock.now
        var count = 0
        while start.duration(to: .now) < .seconds(Self.fsyncSeconds) {
            try file.write(block)
            guard fsync(file.raw) == 0 else { throw Errno(rawValue: errno) }
            count += 1
        }
        return Double(count) / (start.duration(to: .now) / .seconds(1))
    }
}

/// The folders of one measurement.
private struct Place {
    let folder: FilePath
    let library: Library
    private let outbox: OutboxWriter
    /// Files that do not begin like a picture never reach a worker.
    private static let beginning: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    private let logger = Logger(label: "scale") { _ in SwiftLogNoOpLogHandler() }

    init(in folder: FilePath) throws {
        self.folder = folder
        for name in ["inbox", "outbox", "state"] {
            try FileManager.default.createDirectory(
                atPath: folder.appending(name).string, withIntermediateDirectories: true)
        }
        library = try Library(in: folder.appending("state"), outbox: folder.appending("outbox").string)
        outbox = try OutboxWriter(
            folder: folder.appending("outbox"), library: library, lock: OutboxLock(owner: "scale"))
    }

    func pipeline(workers: Int) throws -> Pipeline {
        let processing = ProcessorSettings(
            recipe: StandInWorker.recipe, limits: DecodeLimits(), timePerPhoto: .seconds(20), keepStem: true)
        return try Pipeline(
            inbox: folder.appending("inbox"),
            originals: .init(archive: folder.appending("archive"), failed: folder.appending("failed")),
            processing: processing,
            packs: PackSettings(name: "Scale", identifier: "scale", publisher: "", colorCount: 5),
            executable: "/proc/self/exe", workerCount: workers, library: library, outbox: outbox,
            conditions: CurrentConditions(logger: logger), logger: logger)
    }

    /// Puts photos into the inbox and records them.
    func drop(_ count: Int, as stem: String) async throws {
        var arrivals: [Arrival] = []
        for number in 0..<count {
            let name = "\(stem)-\(number).jpg"
            let path = folder.appending("inbox").appending(name)
            try Data(Self.beginning + "\(stem) \(number)".utf8).write(to: URL(fileURLWithPath: path.string))
            arrivals.append(
                Arrival(
                    path: InboxPath(bytes: Array(name.utf8)), identity: try FileStatus(of: path).identity,
                    verdict: .ready))
        }
        _ = try await library.record(arrivals, renamed: [:])
    }
}
