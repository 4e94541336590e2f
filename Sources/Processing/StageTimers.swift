import PrometheusMetrics
import StickerStudio

/// Records the times of a photo's stages as metrics.
struct StageTimers: Sendable {
    private typealias Stage = (time: any KeyPath<ProcessedPhoto.Timings, Int> & Sendable, series: HistogramSeries)

    private let stages: [Stage] = [
        (\.decode, Self.series("decode")), (\.mask, Self.series("mask")), (\.matte, Self.series("matte")),
        (\.outline, Self.series("outline")), (\.encode, Self.series("encode")), (\.colors, Self.series("colors")),
    ]

    private static func series(_ stage: String) -> HistogramSeries {
        MetricsMemory.ofProcess.times(.stage, ("stage", stage))
    }

    func record(_ timings: ProcessedPhoto.Timings) {
        for stage in stages { stage.series.record(.microseconds(timings[keyPath: stage.time])) }
    }
}
