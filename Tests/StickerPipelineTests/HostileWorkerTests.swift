import Foundation
import Glibc
import LinuxIO
import PhotoCodecs
import PhotoLibrary
import PhotoRaster
import StickerPipeline
import StickerStudio
import SystemPackage
import TestSupport
import Testing

@Suite("A captured worker", .timeLimit(.minutes(2)))
struct HostileWorkerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(try PipelineFixture.photo(), to: "photo.png")
    }

    /// Sends `answer` for a photo, and returns why it was refused; nil if it was accepted. A worker that sent an
    /// invalid reply must be killed.
    private func refusal(of answer: HostileAnswer, timeout: Duration = .seconds(20)) async throws -> WorkerError? {
        let script = try WorkerScript(in: folder, sending: try answer.frame)
        return try await WorkerFixture.running(script.path) { pool async throws in
            let file = try OwnedDescriptor(opening: folder["photo.png"])
            let request = WorkerRequest(
                task: answer.task, recipe: HostileAnswer.recipe(answer.format), limits: DecodeLimits())
            do throws(WorkerError) {
                _ = try await pool.perform(request, descriptor: file.raw, timeout: timeout)
                return nil
            } catch {
                if error.code != .refused {
                    let worker = try #require(script.processes.first)
                    #expect(try await eventually { !ProcessTable.isRunning(worker) })
                }
                return error
            }
        }
    }

    @Test("An answer as our encoders write it is believed", arguments: ["png", "webp", "mask"])
    func honest(kind: String) async throws {
        var answer = HostileAnswer()
        if kind == "webp" { answer.format = .webp }
        if kind == "mask" { answer = try .mask() }
        #expect(try await refusal(of: answer) == nil)
    }

    @Test("A file that is not exactly what our encoders write is refused, for a reason", arguments: HostileAnswer.files)
    func file(lie: HostileAnswer.Lie) async throws {
        let error = try await refusal(of: try lie.answer())
        #expect(error?.code == .died)
        #expect(error?.description == "its worker sent an invalid reply: \(lie.reason)", "\(lie.name)")
    }

    @Test("Numbers, fields and frames that make no sense are refused", arguments: HostileAnswer.replies)
    func reply(lie: HostileAnswer.Lie) async throws {
        let error = try await refusal(of: try lie.answer())
        #expect(error?.code == .died)
        #expect(error?.description == "its worker sent an invalid reply: \(lie.reason)", "\(lie.name)")
    }

    @Test("An answer that brings a descriptor is refused, and the descriptor is closed")
    func descriptor() async throws {
        let script = try WorkerScript(in: folder, sendingDescriptorWith: #"{"failure":"no","pictures":[]}"#)
        try await WorkerFixture.running(script.path) { pool async throws in
            let file = try OwnedDescriptor(opening: folder["photo.png"])
            let request = WorkerRequest(task: .process, recipe: PipelineFixture.recipe, limits: DecodeLimits())
            let error = await #expect(throws: WorkerError.self) {
                _ = try await pool.perform(request, descriptor: file.raw, timeout: .seconds(20))
            }
            #expect(error?.description == "its worker sent an invalid reply: a descriptor came with it")
            let answer = folder["answer"].string
            let open = try ProcessTable.numbers(in: "fd", of: getpid()).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            #expect(!open.contains(answer))
        }
    }

    @Test("An answer that never ends is given up in time")
    func late() async throws {
        var answer = HostileAnswer()
        answer.announcedBodyBytes = 1 << 20
        let start = ContinuousClock.now
        #expect(try await refusal(of: answer, timeout: .milliseconds(500))?.code == .timedOut)
        #expect(start.duration(to: .now) < .seconds(15))
    }

    @Test("What was sent before a photo is no answer to it: another worker makes the photo")
    func early() async throws {
        let script = try WorkerScript(in: folder, sending: try HostileAnswer().frame, atOnce: true)
        try await WorkerFixture.running(script.path) { pool async throws in
            try await Task.sleep(for: .milliseconds(500))
            let file = try OwnedDescriptor(opening: folder["photo.png"])
            let request = WorkerRequest(task: .process, recipe: PipelineFixture.recipe, limits: DecodeLimits())
            let (reply, _) = try await pool.perform(request, descriptor: file.raw, timeout: .seconds(20))
            // The early reply says "ff0000" for every photo.
            #expect(reply.photo.map { "\($0.colors)" } != "ff00002710")
            #expect(script.processes.count == 2)
        }
    }

    @Test("The reason of a refusal is plain text of at most 512 bytes")
    func refusalText() async throws {
        let answer = HostileAnswer.refusal(String(repeating: "<b>\u{1B}[2J\n\u{202E}", count: 40_000))
        let error = try await refusal(of: answer)
        #expect(error?.code == .refused)
        let text = try #require(error?.description)
        #expect(text.utf8.count <= 512)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 && $0 != "\u{202E}" })
    }

    @Test("A photo whose workers lie fails with the reason, and the others are made")
    func photo() async throws {
        let fixture = try PipelineFixture(in: folder)
        let lie = try #require(HostileAnswer.files.first { $0.name == "HTML" })
        let script = try WorkerScript(in: folder, sending: try lie.answer().frame, count: 3)
        try fixture.write(try PipelineFixture.photo(), to: "a.png")
        try await fixture.arrive("a.png")
        try await fixture.processing(executable: script.path) { processor async throws in
            try await fixture.drain(processor)
            try fixture.write(try PipelineFixture.photo(red: 150), to: "b.png")
            try await fixture.arrive("b.png")
            try await fixture.drain(processor)
        }
        #expect(try await fixture.count(.failed) == 1)
        #expect(try await fixture.count(.done) == 1)
        #expect(
            fixture.log.said.contains { $0.contains("its worker sent an invalid reply: the sticker is no PNG file") })
        #expect(try fixture.published().keys.filter { $0.hasSuffix(".png") }.count == 1)
    }
}
