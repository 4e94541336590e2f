import PrometheusMetrics
import Testing

@Suite("Metrics in memory, and as Prometheus's text")
struct MetricsMemoryTests {
    private let memory = MetricsMemory()

    private func lines(of metric: Metric) -> [String] {
        memory.text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(metric.rawValue) }
    }

    @Test("A counter begins at zero, and all counters of one name and labels are one")
    func counter() {
        let counter = memory.number(.workerRestarts)
        #expect(lines(of: .workerRestarts) == ["stickerd_worker_restarts_total 0"])
        for _ in 1...2 { counter.increment() }
        memory.number(.workerRestarts).increment()
        #expect(
            memory.text == """
                # HELP stickerd_worker_restarts_total Workers that ended before they were told to, and were replaced.
                # TYPE stickerd_worker_restarts_total counter
                stickerd_worker_restarts_total 3

                """)
    }

    @Test("A gauge has a line while it has a value; series are in order of their labels, and values are escaped")
    func gauges() {
        let outbox = memory.number(.diskFree, ("disk", "outbox"))
        #expect(memory.text == "")
        outbox.record(1 << 50)
        memory.number(.diskFree, ("disk", "a\"b\\c\nd")).record(1.5)
        #expect(
            lines(of: .diskFree) == [
                #"stickerd_disk_free_bytes{disk="a\"b\\c\nd"} 1.5"#,
                #"stickerd_disk_free_bytes{disk="outbox"} 1125899906842624"#,
            ])
        outbox.record(Double.nan)
        #expect(lines(of: .diskFree).count == 1)
    }

    @Test("A histogram's buckets are cumulative, include their bounds, and end with all times")
    func histogram() {
        let times = memory.times(.stage, ("stage", "mask"))
        for milliseconds in [1, 3, 3, 700, 60_000] { times.record(.milliseconds(milliseconds)) }
        let bounds = ["0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5"]
        let counts = [0, 1, 1, 3, 3, 3, 3, 3, 3, 3]
        let rest = [("1", 4), ("2.5", 4), ("5", 4), ("10", 4), ("30", 4), ("+Inf", 5)]
        #expect(
            lines(of: .stage) == (zip(bounds, counts) + rest).map { bound, count in
                "stickerd_stage_seconds_bucket{stage=\"mask\",le=\"\(bound)\"} \(count)"
            } + ["stickerd_stage_seconds_sum{stage=\"mask\"} 60.707", "stickerd_stage_seconds_count{stage=\"mask\"} 5"])
    }
}
