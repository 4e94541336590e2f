import Foundation

/// The kernel's current figures of a process (proc(5)).
struct ProcessFigures {
    let id: Int32
    /// Peak memory, in millions of bytes: `VmHWM`.
    let peakMemory: Double
    /// Processor time of all its threads, in milliseconds, to 10 of them.
    let processorTime: Double
    /// Voluntary context switches of each of its threads, by the thread's name in proc(5).
    private let sleeps: [String: Int]

    /// sysconf(_SC_CLK_TCK) is 100 on every Linux.
    private static let millisecondsPerTick = 10.0

    init(of id: Int32) throws {
        self.id = id
        peakMemory = Double(try Self.number("VmHWM", in: "/proc/\(id)/status")) * 1024 / 1_000_000
        let text = try Self.text("/proc/\(id)/stat")
        // The name, in parentheses, may contain spaces; the fields after it start with the third.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
        let numbers = fields.map { Int($0) ?? 0 }
        guard numbers.count > 12 else { throw BenchError("/proc/\(id)/stat is too short") }
        processorTime = Double(numbers[11] + numbers[12]) * Self.millisecondsPerTick
        sleeps = try Self.threads(of: id).reduce(into: [:]) { sleeps, thread in
            // The thread may end between the two calls.
            sleeps[thread] = try? Self.number("voluntary_ctxt_switches", in: "/proc/\(id)/task/\(thread)/status")
        }
    }

    /// How many times threads woke up since `before`: each iteration of a polling loop is one.
    func wakeups(since before: ProcessFigures) -> Int {
        sleeps.reduce(0) { $0 + $1.value - before.sleeps[$1.key, default: 0] }
    }

    /// Its running child processes, in no particular order.
    static func children(of id: Int32) throws -> [Int32] {
        try threads(of: id).flatMap { thread in
            ((try? text("/proc/\(id)/task/\(thread)/children")) ?? "").split(separator: " ").compactMap { Int32($0) }
        }
    }

    private static func threads(of id: Int32) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")
    }

    private static func number(_ key: String, in path: String) throws -> Int {
        for line in try text(path).split(separator: "\n") where line.hasPrefix(key + ":") {
            if let number = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) {
                return number
            }
        }
        throw BenchError("no \(key) in \(path)")
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }
}
