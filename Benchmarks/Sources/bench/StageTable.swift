import Foundation

/// The time of each stage of a photo, from the daemon's log at `log.level` debug.
struct StageTable {
    private static let marker = "Processing times"
    /// In the order of the work; `colors` runs in parallel with `mask`, `matte` and `outline`.
    private static let stages = ["decode", "mask", "matte", "outline", "encode", "colors"]

    private var samples: [String: [Double]] = [:]

    /// Reads a daemon's log.
    init(log: String) throws {
        for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        where line.contains(Self.marker) {
            for word in line.split(separator: " ") {
                let pair = word.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, Self.stages.contains(String(pair[0])), let time = Self.milliseconds(pair[1])
                else { continue }
                samples[String(pair[0]), default: []].append(time)
            }
        }
    }

    /// Milliseconds of one stage, one value per photo.
    func sample(of stage: String) throws -> Sample {
        guard let times = samples[stage] else { throw BenchError("the log has no times of \(stage)") }
        return Sample(times)
    }

    var text: String {
        Self.stages.compactMap { stage in
            samples[stage].map {
                let sample = Sample($0)
                return "    \(Report.padded(stage, to: 8)) \(Report.text(sample.median)) ms (worst "
                    + "\(Report.text(sample.worst)), \(sample.count) photos)\n"
            }
        }.joined()
    }

    /// `420us`, `31ms` or `12s`, as the daemon writes them: rounded down.
    private static func milliseconds(_ text: Substring) -> Double? {
        for (suffix, scale) in [("us", 0.001), ("ms", 1), ("s", 1000)] where text.hasSuffix(suffix) {
            return Double(text.dropLast(suffix.count)).map { $0 * scale }
        }
        return nil
    }
}
