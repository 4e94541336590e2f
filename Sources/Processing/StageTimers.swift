import CoreMetrics
import PrometheusMetrics
import StickerStudio

/// Records the times of a photo's stages as metrics.
struct StageTimers: Sendable {
    private typealias Stage = (time: any KeyPath<ProcessedPhoto.Timings, Int> & Sendable, timer: Timer)

    private let stages: [Stage] = [
        (\.decode, Timer(.stage, ("stage", "decode"))), (\.mask, Timer(.stage, ("stage", "mask"))),
        (\.matte, Timer(.stage, ("stage", "matte"))), (\.outline, Timer(.stage, ("stage", "outline"))),
        (\.encode, Timer(.stage, ("stage", "encode"))), (\.colors, Timer(.stage, ("stage", "colors"))),
    ]

    func record(_ timings: ProcessedPhoto.Timings) {
        for stage in stages { stage.timer.recordMicroseconds(timings[keyPath: stage.time]) }
    }
}
