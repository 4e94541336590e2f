import Foundation
import LinuxIO
import SystemPackage

/// The memory that daemon and workers may need, and the limits on it.
struct MemoryFacts: Sendable, Equatable {
    let workers: Int
    /// `limits.maxMemory`.
    let photo: Int
    /// Of a network other than the embedded one, in each worker.
    var model = 0
    /// Of the machine.
    var machine = Int.max
    /// The lowest limit of the daemon's control groups; nil if there is none, or none that is known.
    var group: Int?

    /// The unit's comments and Docs/Security.md have the same figures.
    private static let daemonBytes = 128 << 20
    private static let workerBytes = 128 << 20

    /// The most memory that daemon and workers use at the same time.
    var needed: Int { Self.daemonBytes + workers * perWorker }

    private var perWorker: Int { Self.workerBytes + photo + model }

    /// - Parameter daemon: its process; if nil, `unit` has the limits.
    init(workers: Int, photo: Int, daemon: Int32?, _ unit: UnitFacts?) {
        self.init(workers: workers, photo: photo)
        machine = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        group =
            daemon.map { Self.limit(of: Self.text(FilePath("/proc/\($0)/cgroup"))) }
            ?? unit.flatMap { unit in ["MemoryMax", "MemoryHigh"].compactMap { Int(unit[$0]) }.min() }
    }

    init(workers: Int, photo: Int) { (self.workers, self.photo) = (workers, photo) }

    /// The lowest limit of control groups (cgroups(7)), of both versions, up to the root.
    ///
    /// - Parameter list: of a file /proc/PID/cgroup.
    static func limit(of list: String, below groups: FilePath = "/sys/fs/cgroup") -> Int? {
        list.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            let isSecond = fields[1].isEmpty
            guard isSecond || fields[1].split(separator: ",").contains("memory") else { return nil }
            let top = isSecond ? groups : groups.appending("memory")
            var folder = top.appending(FilePath(String(fields[2])).components)
            var limits: [Int] = []
            while folder.starts(with: top) {
                let files = isSecond ? ["memory.max", "memory.high"] : ["memory.limit_in_bytes"]
                limits += files.compactMap { Int(text(folder.appending($0)).filter { !$0.isWhitespace }) }
                folder.removeLastComponent()
            }
            return limits.min()
        }.min()
    }

    private static func text(_ file: FilePath) -> String {
        String(decoding: (try? OwnedDescriptor(opening: file).read(upTo: 1 << 16)) ?? [], as: UTF8.self)
    }

    var finding: Finding {
        let limit = min(machine, group ?? .max)
        let owner = limit < machine ? "the service's limit" : "all this machine has"
        let count = workers == 1 ? "1 worker" : "\(workers) workers"
        let text = "\(count) may need \(needed.mebibytes) together; \(limit.mebibytes) is \(owner)"
        guard needed > limit else { return .ok("memory", text) }
        let fitting = max(1, (limit - Self.daemonBytes) / perWorker)
        let orRaise = limit < machine ? ", or raise MemoryMax= and MemoryHigh= with sudo systemctl edit stickerd" : ""
        return .fault(
            "memory", text,
            cure:
                "set workers to \(fitting) or lower limits.maxMemory\(orRaise), and run: sudo systemctl restart stickerd"
        )
    }
}
