import Conditions
import DaemonSettings
import Glibc
import LinuxIO
import Logging
import PhotoCodecs
import PhotoRaster
import Processing
import StickerStudio
import SubjectModel
import Synchronization
import SystemPackage
import Workers

/// What one more worker did that was started to see how long it takes, and how the daemon's workers are confined.
struct WorkerFacts: Sendable {
    /// From the start of the process to its first photo.
    var start: Duration?
    /// Nil if no sticker was made.
    var photo: Duration?
    /// Why not.
    var failure: String?
    /// The layers of confinement that it lacks.
    var gaps: [String] = []
    /// Of its network, if that is not the embedded one.
    var modelBytes = 0
    /// How many workers the daemon has.
    var running = 0
    /// Those that have no system call filter of their own, although they are not new.
    var unfiltered = 0
    /// The namespaces of its own that the daemon has, and those that its unit asks for.
    var namespaces: (own: Set<String>, wanted: Set<String>)?

    /// How long a worker that does not start is waited for.
    private static let patience = Duration.seconds(30)
    /// How often a worker is looked at until it has its filter: five seconds together.
    private static let filterChecks = 50
    private static let filterPause = Duration.milliseconds(100)

    /// - Parameter daemon: its process.
    static func gather(
        _ settings: Settings, executable: FilePath, daemon: Int32?, _ unit: UnitFacts?
    ) async -> WorkerFacts {
        let before = workers(of: daemon)
        var facts = await probe(settings, executable: executable)
        let after = workers(of: daemon)
        facts.running = after.all.count
        // A worker that has begun is filtered soon.
        var unfiltered = before.unfiltered.intersection(after.unfiltered)
        for _ in 0..<filterChecks where !unfiltered.isEmpty {
            try? await Task.sleep(for: filterPause)
            unfiltered.formIntersection(workers(of: daemon).unfiltered)
        }
        facts.unfiltered = unfiltered.count
        facts.namespaces = daemon.flatMap { ownNamespaces(of: $0) }.map { ($0, wantedNamespaces(unit)) }
        return facts
    }

    private static func probe(_ settings: Settings, executable: FilePath) async -> WorkerFacts {
        var facts = WorkerFacts()
        let quiet = Logger(label: "doctor") { _ in SwiftLogNoOpLogHandler() }
        let conditions = CurrentConditions(logger: quiet)
        let modelBytes = Mutex(0)
        do {
            let model = try settings.openModel()
            let processing = settings.processing(model)
            let pool = WorkerPool(
                executable: executable, count: 1, model: model, conditions: conditions, logger: quiet
            ) { loaded in modelBytes.withLock { $0 = loaded.cost.memory } }
            let picture = try OwnedDescriptor.inMemory(try PNGEncoder.encode(disc))
            let request = WorkerRequest(task: .stickers, recipe: processing.recipe, limits: processing.limits)
            let began = conditions.clock.now
            let run = Task { try await pool.run() }
            let limit = Task {
                try await conditions.clock.sleep(for: patience + processing.timePerPhoto * 2)
                await pool.stop()
            }
            let reply: Result<WorkerProduct, WorkerError>
            do {
                reply = .success(
                    try await pool.perform(request, descriptor: picture.raw, timeout: processing.timePerPhoto))
            } catch {
                reply = .failure(error)
            }
            let took = began.duration(to: conditions.clock.now)
            limit.cancel()
            await pool.stop()
            // If no worker can be started, this says why.
            try await run.value
            facts.gaps = await pool.gaps
            facts.modelBytes = modelBytes.withLock { $0 }
            guard case .photo(let photo) = try reply.get(), !photo.stickers.isEmpty else {
                facts.failure = "it finds no subject in a drawn disc"
                return facts
            }
            (facts.start, facts.photo) = (took - photo.timings.total, photo.timings.total)
        } catch {
            facts.failure = (["\(error)"] + conditions.reasons).joined(separator: "; ")
        }
        return facts
    }

    /// A red disc on gray: one clear subject.
    private static var disc: Raster {
        var raster = Raster(width: 640, height: 480)
        for y in 0..<raster.height {
            for x in 0..<raster.width {
                let (across, down) = (x - raster.width / 2, y - raster.height / 2)
                let color: [UInt8] =
                    across * across + down * down < 140 * 140 ? [220, 40, 30, 255] : [150, 160, 180, 255]
                let base = (y * raster.width + x) * Raster.channels
                raster.pixels.replaceSubrange(base..<base + Raster.channels, with: color)
            }
        }
        return raster
    }

    /// The daemon's children, and those with no more filters than it has: its unit sets the same for all.
    static func workers(of daemon: Int32?) -> (all: Set<Int32>, unfiltered: Set<Int32>) {
        guard let daemon, let own = try? ProcessStatus(of: daemon) else { return ([], []) }
        let children = ProcessStatus.all.filter { $0.parent == daemon }
        let unfiltered = children.filter { $0.filters.map { $0 <= own.filters ?? 0 } ?? false && isConfining($0.id) }
        return (Set(children.map(\.id)), Set(unfiltered.map(\.id)))
    }

    /// Whether a worker has begun to confine itself, for which the filter comes last: a start takes long while others
    /// use the processor.
    private static func isConfining(_ worker: Int32) -> Bool {
        let file = FilePath("/proc/\(worker)/limits")
        let text = String(decoding: (try? OwnedDescriptor(opening: file).read(upTo: 1 << 16)) ?? [], as: UTF8.self)
        return text.split(separator: "\n").contains {
            $0.hasPrefix("Max open files") && $0.split(separator: " ").contains("\(Confinement.maxDescriptors)")
        }
    }

    /// By the names in /proc/PID/ns (namespaces(7)), with what a unit asks for them by.
    private static let kinds = [
        "mnt": ("ProtectSystem", "strict"), "net": ("PrivateNetwork", "yes"), "user": ("PrivateUsers", "yes"),
        "ipc": ("PrivateIPC", "yes"), "uts": ("ProtectHostname", "yes"),
    ]

    private static func ownNamespaces(of process: Int32) -> Set<String>? {
        func inode(_ process: String, _ kind: String) -> UInt64? {
            (try? FilePath("/proc/\(process)/ns/\(kind)").stat()).map { UInt64($0.rawValue.st_ino) }
        }
        guard inode("\(process)", "mnt") != nil else { return nil }
        return Set(kinds.keys.filter { inode("\(process)", $0) != inode("self", $0) })
    }

    static func wantedNamespaces(_ unit: UnitFacts?) -> Set<String> {
        guard let unit else { return [] }
        return Set(kinds.filter { unit[$0.value.0] == $0.value.1 }.keys)
    }

    var findings: [Finding] { [workerFinding, confinementFinding] }

    private var workerFinding: Finding {
        guard let start, let photo else {
            return .fault(
                "worker", "no sticker was made of a drawn picture: \(failure ?? "unknown reason")",
                cure: "see what each step does: stickerd make PHOTO -o /tmp; and what the daemon logs: "
                    + "sudo journalctl -u stickerd")
        }
        return .ok(
            "worker",
            "starts in \(start.milliseconds) ms, and makes a sticker of a small picture in \(photo.milliseconds) ms")
    }

    private var confinementFinding: Finding {
        let missing = namespaces.map { $0.wanted.subtracting($0.own).sorted() } ?? []
        let cure =
            "see what the kernel or the container forbids: sudo journalctl -u stickerd -g confined; Docs/Security.md"
        if !gaps.isEmpty { return .fault("confined", gaps.joined(separator: "; "), cure: cure) }
        if unfiltered > 0 {
            return .fault("confined", "\(unfiltered) of \(running) workers have no system call filter", cure: cure)
        }
        if !missing.isEmpty {
            let names = missing.joined(separator: ", ")
            return .fault(
                "confined", "the daemon has no own namespaces of these kinds, which its unit asks for: \(names)",
                cure: cure)
        }
        let own = namespaces.map { $0.own.sorted().joined(separator: ", ") } ?? ""
        return .ok(
            "confined",
            "workers: system call filter, limits, no new privileges"
                + (own.isEmpty ? "" : "; the daemon's own namespaces: \(own)"))
    }
}

extension Duration {
    fileprivate var milliseconds: Int { microseconds / 1000 }
}
