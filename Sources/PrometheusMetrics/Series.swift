import Synchronization

/// The values of one metric with one set of labels.
protocol Series: AnyObject, Sendable {
    /// - Parameters:
    ///   - name: the metric's.
    ///   - labels: without braces; may be empty.
    func lines(_ name: String, _ labels: String) -> [String]
}

/// A counter or a gauge. A gauge that is set to NaN has no value, and no line.
package final class NumberSeries: Series {
    private let value: Mutex<Double?>

    init(_ value: Double?) { self.value = Mutex(value) }

    package func increment() { value.withLock { $0 = ($0 ?? 0) + 1 } }
    package func record(_ value: Int) { record(Double(value)) }
    package func record(_ value: Double) { self.value.withLock { $0 = value.isNaN ? nil : value } }

    func lines(_ name: String, _ labels: String) -> [String] {
        value.withLock { $0 }.map { ["\(name)\(braced(labels)) \(written($0))"] } ?? []
    }
}

/// A histogram of seconds.
package final class HistogramSeries: Series {
    private struct State {
        /// How many times are in each bucket, without those in lower ones; the last is for those beyond all bounds.
        var counts = [Int](repeating: 0, count: Metric.bounds.count + 1)
        var sum = 0.0
    }

    private let state = Mutex(State())

    package func record(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        let bucket = Metric.bounds.firstIndex { seconds <= $0 } ?? Metric.bounds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += seconds
        }
    }

    func lines(_ name: String, _ labels: String) -> [String] {
        let state = state.withLock { $0 }
        var (lines, count) = ([String](), 0)
        for (bound, more) in zip(Metric.bounds.map(written) + ["+Inf"], state.counts) {
            count += more
            let all = (labels.isEmpty ? [] : [labels]) + ["le=\"\(bound)\""]
            lines.append("\(name)_bucket\(braced(all.joined(separator: ","))) \(count)")
        }
        return lines + [
            "\(name)_sum\(braced(labels)) \(written(state.sum))", "\(name)_count\(braced(labels)) \(count)",
        ]
    }
}

private func braced(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

/// Whole numbers without a fraction.
private func written(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
