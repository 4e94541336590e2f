import FoundationEssentials
import Glibc
import LinuxIO
import Logging
import PhotoCodecs
import PhotoColors
import PhotoFacts
import StickerStudio
import SystemPackage
import TestSupport
import Testing
@testable import Workers

@Suite("The workers", .timeLimit(.minutes(1)))
struct WorkerPoolTests {
    private let folder = WorkerFixture.folder()

    private func process(
        _ pool: WorkerPool, _ task: WorkerRequest.Task = .process, timeout: Duration = .seconds(20)
    ) async throws -> ProcessedPhoto {
        try #require(try await pool.work(task, in: folder, timeout: timeout).photo)
    }

    private func make(_ pool: WorkerPool, timeout: Duration = .seconds(20)) async throws -> [[UInt8]] {
        try await process(pool, timeout: timeout).stickers.map(\.data)
    }

    private func code(of work: () async throws -> Void) async -> WorkerError.Code? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? WorkerError)?.code
        }
    }

    @Test("Sticker and colors of a photo are the same without each other")
    func parts() async throws {
        // The usual photo has too little detail for a likeness.
        try folder.write(try WorkerFixture.photo(width: 240), to: "photo.png")
        try await WorkerFixture.running(try StickerdBinary.path) { pool async throws in
            let all = try await process(pool)
            #expect(all.facts.subjectColors != nil && all.facts.likeness != nil && !all.facts.colors.entries.isEmpty)
            #expect(all.stickers.count == 1 && all.stickers.allSatisfy { !$0.thumbnail.isEmpty })

            let stickers = try await process(pool, .stickers)
            #expect(stickers.stickers.map(\.data) == all.stickers.map(\.data))
            #expect(stickers.facts.colors == .empty && stickers.facts.subjectColors == nil)
            #expect(stickers.facts.likeness == nil && stickers.timings.colors == 0)

            let colors = try await process(pool, .colors)
            #expect(colors.stickers.isEmpty && colors.facts.likeness == nil)
            #expect(colors.facts.colors == all.facts.colors && colors.facts.subjectColors == all.facts.subjectColors)
        }
    }

    @Test("An idle worker that is killed is replaced")
    func idle() async throws {
        let script = try WorkerScript(in: folder)
        try await WorkerFixture.running(script.path) { pool async throws in
            let first = try await make(pool)
            let worker = try #require(script.processes.first)
            ProcessTable.signal(worker, SIGKILL)
            #expect(try await eventually { !ProcessTable.isRunning(worker) })
            #expect(try await make(pool) == first)
            #expect(script.processes.count == 2)
        }
    }

    @Test(
        "A worker that dies fails only its photo, with how it ended",
        arguments: [
            (.isKilled, "its worker was killed, most likely because the system ran out of memory (signal 9)"),
            (.crashes, "its worker crashed (signal 11)"),
            (.triesWhatIsForbidden, "its worker was stopped: it made a forbidden system call (signal 31)"),
            (.isOutOfTime, "its worker exceeded its limit of processor time (signal 24)"),
            (.givesUp, "its worker ended with status 3"),
        ] as [(WorkerScript.First, String)])
    func working(first: WorkerScript.First, words: String) async throws {
        let script = try WorkerScript(in: folder, first: first)
        try await WorkerFixture.running(script.path) { pool async throws in
            let error = await #expect(throws: WorkerError.self) { try await make(pool).count }
            #expect(error?.code == .died)
            #expect(error?.description == words)
            #expect(try await make(pool).count == 1)
        }
    }

    @Test("Closing the pool fails photos that wait for a worker")
    func closed() async throws {
        // Starts no worker, as if all of them hung.
        let pool = WorkerPool(
            executable: "/bin/false", count: 1,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        async let waiting = code { _ = try await make(pool) }
        #expect(try await eventually { await pool.isAwaited })
        await pool.close()
        #expect(await waiting == .unavailable)
        #expect(await code { _ = try await make(pool) } == .unavailable)
    }

    @Test(
        "A worker that uses the processor for as long as its limit, or not at all, fails its photo",
        arguments: [
            (.burns, 1.5, "timed out (limits.secondsPerPhoto: 1.5)"),
            (.isStopped, 10, "timed out (limits.secondsPerPhoto: 10): its worker hung, using no processor time"),
        ] as [(WorkerScript.First, Double, String)])
    func limit(first: WorkerScript.First, seconds: Double, words: String) async throws {
        let script = try WorkerScript(in: folder, first: first)
        try await WorkerFixture.running(script.path) { pool async throws in
            let error = await #expect(throws: WorkerError.self) {
                try await make(pool, timeout: .seconds(seconds)).count
            }
            #expect(error?.code == .timedOut)
            #expect(error?.description == words)
        }
    }

    @Test("A worker that lacks the processor gets more time, which counts as a step")
    func slow() async throws {
        let answer = HostileAnswer()
        let script = try WorkerScript(in: folder, sending: try answer.frame, after: 45)
        try await WorkerFixture.running(script.path) { pool async throws in
            let file = try OwnedDescriptor(opening: folder["photo.png"])
            let product = try await pool.perform(answer.request, descriptor: file.raw, timeout: .seconds(1))
            #expect(product.photo != nil)
            #expect(await pool.steps > 1)
        }
    }

    @Test("It gets no more when the pool is closed, and the photo waits for the next start")
    func closedWhileSlow() async throws {
        let script = try WorkerScript(in: folder, first: .crawls)
        try await WorkerFixture.running(script.path) { pool async throws in
            async let photo = code { _ = try await make(pool, timeout: .seconds(1)) }
            #expect(try await eventually { await pool.steps > 0 })
            await pool.close()
            #expect(await photo == .unavailable)
        }
    }

    @Test("A stop does not wait out the delay before a worker's restart")
    func stopDuringDelay() async throws {
        let clock = ManualClock()
        let script = try WorkerScript(in: folder, first: .crashes)
        // Would not return: nothing advances the clock.
        try await WorkerFixture.running(script.path, clock: clock) { pool async throws in
            #expect(await code { _ = try await make(pool) } == .died)
            #expect(try await eventually { clock.sleeps == [.seconds(1)] })
        }
        #expect(script.processes.count == 1)
    }

    @Test("A stop ends every worker and fails waiting and later photos")
    func stop() async throws {
        let script = try WorkerScript(in: folder, first: .hangs)
        let pool = WorkerPool(executable: script.path, count: 1, logger: Logger(label: "test") { _ in RecordedLog() })
        async let end: Void = pool.run()
        async let inProgress = code { _ = try await make(pool) }
        #expect(try await eventually { script.processes.count == 1 })
        async let waiting = code { _ = try await make(pool) }
        await pool.stop()
        #expect(await inProgress == .unavailable)
        #expect(await waiting == .unavailable)
        #expect(await code { _ = try await make(pool) } == .unavailable)
        try await end
        #expect(script.processes.allSatisfy { !ProcessTable.isRunning($0) })
    }

    @Test("Cancelling the pool's task ends its workers")
    func cancelled() async throws {
        let script = try WorkerScript(in: folder)
        let pool = WorkerPool(executable: script.path, count: 1, logger: Logger(label: "test") { _ in RecordedLog() })
        let running = Task { try await pool.run() }
        #expect(try await make(pool).count == 1)
        running.cancel()
        _ = await running.result
        #expect(script.processes.allSatisfy { !ProcessTable.isRunning($0) })
    }

    @Test("The pool fails if its workers exit before they are ready")
    func neverReady() async throws {
        let pool = WorkerPool(executable: "/bin/false", count: 5, logger: Logger(label: "test") { _ in RecordedLog() })
        async let end = code { try await pool.run() }
        #expect(await code { _ = try await make(pool) } == .unavailable)
        #expect(await end == .unavailable)
    }

    @Test(
        "A shortage of memory or threads when workers start is retried",
        arguments: [.isShort, .isKilledAtStart] as [WorkerScript.First])
    func shortAtStart(first: WorkerScript.First) async throws {
        let script = try WorkerScript(in: folder, first: first, count: 5)
        let log = RecordedLog()
        try await WorkerFixture.running(script.path, count: 5, log: log) { pool async throws in
            #expect(try await make(pool).count == 1)
        }
        #expect(log.said.contains { $0.contains("Cannot start a worker; retrying") })
    }

    @Test("A reply with too many pictures is rejected")
    func tooMany() throws {
        let picture = #"{"bytes": 0, "thumbnailBytes": 0, "facts": {"width": 1, "height": 1, "confidence": 1}}"#
        for (count, isGood) in [(WorkerReply.maxPictures, true), (WorkerReply.maxPictures + 1, false)] {
            let json = "{\"pictures\": [\(Array(repeating: picture, count: count).joined(separator: ","))]}"
            let reply = try JSONDecoder().decode(WorkerReply.self, from: Data(json.utf8))
            #expect(((try? reply.validate()) != nil) == isGood)
        }
    }

    @Test("A reply with inconsistent sizes is rejected", arguments: [[3, 3], [7], [-1, 7], [Int.max, 1]])
    func sizes(bytes: [Int]) throws {
        let pictures = bytes.map {
            "{\"bytes\": \($0), \"thumbnailBytes\": 0, \"facts\": {\"width\": 1, \"height\": 1, \"confidence\": 1}}"
        }.joined(separator: ", ")
        let reply = try JSONDecoder().decode(WorkerReply.self, from: Data("{\"pictures\": [\(pictures)]}".utf8))
        #expect(throws: WorkerError.self) { try reply.stickers(in: [1, 2, 3, 4, 5]) }
    }
}
