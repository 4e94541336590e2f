import Foundation
import PrometheusMetrics
import TestSupport
import Testing

@Suite("Metrics in documents")
struct MetricNamesTests {
    @Test("The dashboard and the manual name all metrics, and no others", arguments: ["grafana.json", "Monitoring.md"])
    func names(document: String) throws {
        let file = Repository.root.appending(path: "Docs").appending(path: document)
        let text = try String(contentsOf: file, encoding: .utf8)
        let named = text.matches(of: /(stickerd_[a-z_]+?)(_bucket|_count|_sum)?\b/).map { String($0.1) }
        #expect(Set(named) == Set(Metric.allCases.map(\.rawValue)))
    }
}
