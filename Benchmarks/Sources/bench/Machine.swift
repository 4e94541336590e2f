import Foundation

/// The machine that the figures were measured on.
struct Machine {
    let cores: Int
    private let processor: String

    init() {
        cores = ProcessInfo.processInfo.activeProcessorCount
        let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }
        processor =
            model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "processor unknown"
    }

    var description: String { "\(processor), \(cores) cores" }

    /// The load average of the last minute, with a warning if it distorts the figures.
    static var load: String {
        let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
        guard let load = text.split(separator: " ").first.flatMap({ Double($0) }) else { return "load average unknown" }
        return "load average \(load)" + (load > busyLoad ? ": this machine is busy, so times are too long" : "")
    }

    private static let busyLoad = 0.5
}
