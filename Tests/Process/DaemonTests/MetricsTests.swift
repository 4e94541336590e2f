import Foundation
import Glibc
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("The metrics file of a daemon", .timeLimit(.minutes(1)))
struct MetricsTests {
    private let place = Workplace(settings: Workplace.settings(#", "metrics": {"file": "metrics/stickerd.prom"}"#))

    private func value(of series: String) -> Double? {
        let lines = (place.folder.text(of: "metrics/stickerd.prom") ?? "").split(separator: "\n")
        return lines.first { $0.hasPrefix(series + " ") }.flatMap { Double($0.dropFirst(series.count + 1)) }
    }

    @Test("It counts photos, stages, fsyncs and replaced workers, and others may read it whatever the umask")
    func counts() async throws {
        try place.folder.makeFolder("metrics")
        let daemon = try StickerdProcess(
            ["run"] + place.folders + place.config, in: place.folder, shell: #"umask 077; exec "$@""#)
        try place.drop(try Workplace.photo(), as: "a.png")
        #expect(try await eventually { place.count(.done) == 1 })
        let worker = try #require(try daemon.workers().first)
        ProcessTable.signal(worker, SIGKILL)
        #expect(try await eventually { try daemon.workers().first.map { $0 != worker } ?? false })
        #expect(try await daemon.stop() == 0)
        #expect(value(of: #"stickerd_photos{state="done"}"#) == 1)
        #expect(value(of: "stickerd_stickers") == 1)
        for stage in ["decode", "mask", "matte", "outline", "encode", "colors"] {
            #expect(value(of: #"stickerd_stage_seconds_count{stage="\#(stage)"}"#) == 1)
        }
        #expect(value(of: #"stickerd_stage_seconds_sum{stage="mask"}"#).map { $0 > 0 } ?? false)
        #expect(value(of: "stickerd_fsync_seconds_count").map { $0 >= 2 } ?? false)
        #expect(value(of: "stickerd_worker_restarts_total") == 1)
        #expect(try place.folder.mode(of: "metrics/stickerd.prom") == 0o644)
    }
}
