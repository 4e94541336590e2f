package import CoreMetrics
import Synchronization

/// Keeps the series of every `Metric` in memory, and ignores what others record. A series stays until the process ends.
package final class MetricsMemory: MetricsFactory {
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

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions, .counter) { NumberSeries(0) } ?? NOOPMetricsHandler.instance
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        find(label, dimensions, .gauge) { NumberSeries(nil) } ?? NOOPMetricsHandler.instance
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(label, dimensions, .histogram) { HistogramSeries() } ?? NOOPMetricsHandler.instance
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Nil if no `Metric` has this name and kind.
    private func find<Found: Series>(
        _ name: String, _ labels: [(String, String)], _ kind: Metric.Kind, make: () -> Found
    ) -> Found? {
        guard let metric = Metric(rawValue: name), metric.kind == kind else { return nil }
        let text = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        return series.withLock { series in
            let found = series[Key(metric: metric, labels: text)] as? Found ?? make()
            series[Key(metric: metric, labels: text)] = found
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
