import Conditions
import LinuxIO
import PhotoRule
import Processing
import StickerPipeline
import SystemPackage
import Testing
import TestSupport
import Workers

@Suite("A stuck pipeline", .timeLimit(.minutes(1)))
struct StandstillTests {
    private let fixture = PipelineFixture()

    /// Whether the pipeline counts as stuck after more time than any photo may take.
    private func getsStuck(_ processor: Processor) async -> Bool {
        fixture.clock.advance(by: .seconds(60))
        return await processor.isStuck()
    }

    @Test("A photo that takes too long counts as stuck, but not while a disk takes minutes; hours are too long")
    func disk() async throws {
        let script = try WorkerScript(in: fixture.folder, first: .hangs)
        let waits = DiskWaits()
        try fixture.write(try PipelineFixture.photo(), to: "a.png")
        try await fixture.arrive("a.png")
        await #expect(throws: StopEarly.self) {
            try await fixture.processing(executable: script.path, diskWaits: waits) { processor async throws in
                processor.wake()
                #expect(try await eventually { try await fixture.count(.processing) == 1 })
                #expect(try await eventually { await getsStuck(processor) })
                fixture.conditions.begin(.library, because: "gone")
                #expect(await !getsStuck(processor))
                fixture.conditions.end(.library)
                #expect(await getsStuck(processor))
                let wait = waits.begin(at: .now - .seconds(300))
                #expect(await !getsStuck(processor))
                waits.end(wait)
                #expect(await getsStuck(processor))
                _ = waits.begin(at: .now - .seconds(7200))
                #expect(await getsStuck(processor))
                // The worker would hang until its time limit.
                throw StopEarly()
            }
        }
    }

    @Test("Waiting for the first worker to start does not count as stuck")
    func start() async throws {
        try fixture.write(try PipelineFixture.photo(), to: "a.png")
        try await fixture.arrive("a.png")
        // Its workers are never started, as if they hung.
        let pipeline = try fixture.pipeline(executable: "/bin/false")
        let (pool, processor) = (pipeline.workers, pipeline.processor)
        async let end: Void = processor.run()
        #expect(try await eventually { await pool.isAwaited })
        #expect(await !getsStuck(processor))
        await processor.stop()
        try await end
        #expect(try await fixture.count(.pending) == 1)
    }

    private struct StopEarly: Error {}
}
