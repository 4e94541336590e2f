import Synchronization

/// Keeps the series of every `Metric` in memory. A series stays until the process ends.
package final class MetricsMemory: Sendable {
    /// That of this process, in which all modules record.
    package static let ofProcess = MetricsMemory()

    private struct Key: Hashable {
        let metric: Metric
        /// As in the text: `stage="mask"`.
        let labels: String
    }

    private let series = Mutex<[Key: any Series]>([:])

    package init() {}

    /// All series that have a value, in Prometheus's text exposition format 0.0.4, in a fixed order.
    package var text: String {
        let all = series.withLock { $0 }
        return Metric.allCases.map { metric in
            let lines = all.filter { $0.key.metric == metric }.sorted { $0.key.labels < $1.key.labels }
                .flatMap { $1.lines(metric.rawValue, $0.labels) }
            guard !lines.isEmpty else { return "" }
            let head = ["# HELP \(metric.rawValue) \(metric.help)", "# TYPE \(metric.rawValue) \(metric.kind)"]
            return (head + lines).map { $0 + "\n" }.joined()
        }.joined()
    }

    /// The counter, which begins at 0, or the gauge, which has no value yet, with these names and values of labels.
    package func number(_ metric: Metric, _ labels: (String, String)...) -> NumberSeries {
        find(metric, labels) { NumberSeries(metric.kind == .counter ? 0 : nil) }
    }

    /// The histogram with these names and values of labels.
    package func times(_ metric: Metric, _ labels: (String, String)...) -> HistogramSeries {
        find(metric, labels) { HistogramSeries() }
    }

    private func find<Found: Series>(_ metric: Metric, _ labels: [(String, String)], make: () -> Found) -> Found {
        let key = Key(metric: metric, labels: labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ","))
        return series.withLock { series in
            let found = series[key] as? Found ?? make()
            series[key] = found
            return found
        }
    }

    private static func escaped(_ value: String) -> String {
        value.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
