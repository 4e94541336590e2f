import Foundation
import Glibc
import LinuxIO
import PhotoCodecs
import PhotoFacts
import PhotoRaster
import StickerStudio
import SystemPackage
import TestSupport
import Testing
import Workers

@Suite("A compromised worker", .timeLimit(.minutes(2)))
struct HostileWorkerTests {
    private let folder = WorkerFixture.folder()

    /// Sends `answer` for a photo, and returns why it was rejected; nil if it was accepted. Checks that a worker that
    /// sent an invalid reply is killed.
    private func refusal(of answer: HostileAnswer, timeout: Duration = .seconds(20)) async throws -> WorkerError? {
        let script = try WorkerScript(in: folder, sending: try answer.frame)
        return try await WorkerFixture.running(script.path) { pool async throws in
            let file = try OwnedDescriptor(opening: folder["photo.png"])
            do throws(WorkerError) {
                _ = try await pool.perform(answer.request, descriptor: file.raw, timeout: timeout)
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

    @Test("A reply with files of our encoders is accepted", arguments: ["png", "webp", "mask", "five passes"])
    func honest(kind: String) async throws {
        var answer = HostileAnswer()
        if kind == "webp" { answer.format = .webp }
        if kind == "mask" { answer = try .mask() }
        // Two in vain over a thumbnail, then all three over the photo.
        if kind == "five passes" { answer.timings.replace("\"passes\":1", with: "\"passes\":5") }
        #expect(try await refusal(of: answer) == nil)
    }

    @Test("A picture of the requested form is accepted", arguments: HostileAnswer.validPictures)
    func honest(picture: HostileAnswer.ValidPicture) async throws {
        #expect(try await refusal(of: try picture.answer()) == nil)
    }

    @Test(
        "Invalid numbers, fields and frames, other pictures and files that our encoders would not write are rejected",
        arguments: HostileAnswer.replies + HostileAnswer.invalidPictures + HostileAnswer.files)
    func reply(invalid: HostileAnswer.InvalidReply) async throws {
        let error = try await refusal(of: try invalid.answer())
        #expect(error?.code == .died)
        #expect(error?.description == "its worker sent an invalid reply: \(invalid.reason)", "\(invalid.name)")
    }

    @Test("A reply with a descriptor is rejected, and the descriptor is closed")
    func descriptor() async throws {
        let script = try WorkerScript(in: folder, sendingDescriptorWith: #"{"failure":"no","pictures":[]}"#)
        try await WorkerFixture.running(script.path) { pool async throws in
            let error = await #expect(throws: WorkerError.self) { _ = try await pool.work(in: folder) }
            #expect(error?.description == "its worker sent an invalid reply: it came with a descriptor")
            let answer = folder["answer"].string
            let open = try ProcessTable.numbers(in: "fd", of: getpid()).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            #expect(!open.contains(answer))
        }
    }

    @Test("A reply that never ends times out")
    func late() async throws {
        var answer = HostileAnswer()
        answer.announcedBodyBytes = 1 << 20
        #expect(try await refusal(of: answer, timeout: .milliseconds(100))?.code == .timedOut)
    }

    @Test("A reply sent before the request is rejected, and another worker gets the photo")
    func early() async throws {
        let script = try WorkerScript(in: folder, sending: try HostileAnswer().frame, atOnce: true)
        try await WorkerFixture.running(script.path) { pool async throws in
            // It has sent its reply when it sleeps.
            let hasSent = try await eventually {
                script.processes.first.flatMap { ProcessTable.status(of: $0, "Name") } == "sleep"
            }
            #expect(hasSent)
            let product = try await pool.work(in: folder)
            // The early reply says "ff0000" for every photo.
            #expect(product.photo.map { "\($0.facts.colors)" } != "ff00002710")
            #expect(script.processes.count == 2)
        }
    }

    @Test("The reason of a rejection is plain text of at most 512 bytes")
    func refusalText() async throws {
        let answer = HostileAnswer.refusal(String(repeating: "<b>\u{1B}[2J\n\u{202E}", count: 40_000))
        let error = try await refusal(of: answer)
        #expect(error?.code == .refused)
        let text = try #require(error?.description)
        #expect(text.utf8.count <= 512)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 && $0 != "\u{202E}" })
    }
}
