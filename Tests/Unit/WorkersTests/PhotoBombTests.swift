import Foundation
import PhotoCodecs
import TestSupport
import Testing
import Workers

/// Uses a real worker, to measure a bomb's cost there.
@Suite("A decompression bomb", .serialized, .timeLimit(.minutes(2)))
struct PhotoBombTests {
    /// Of the processor; far below `limits.secondsPerPhoto`, in a debug build, too.
    private static let maxSeconds = 20.0
    /// `limits.maxMemory`, and a worker's memory without a photo.
    private static let maxKilobytes = (150 + 100) << 10

    @Test(
        "is rejected with one line, or decoded, in bounded processor time and memory",
        arguments: PhotoBomb.pngs + PhotoBomb.jpegs + PhotoBomb.webPs + PhotoBomb.heifs)
    func bomb(_ bomb: PhotoBomb) async throws {
        #expect((try await check(bomb) == nil) == bomb.isHarmless)
    }

    @Test(
        "in a HEIF's or AVIF's sizes is rejected",
        arguments: ["gray.heic", "grid.heic", "tile.avif", "tile-alpha.heic"])
    func giant(name: String) async throws {
        let file = try FuzzCorpus.bytes(of: name, in: "heif")
        #expect(try await check(PhotoBomb.giant(name, of: file)) != nil)
    }

    @Test("of a HEIF's tiles, or other items, is rejected")
    func parts() async throws {
        let file = try FuzzCorpus.bytes(of: "gray.heic", in: "heif")
        for bomb in [PhotoBomb.tiles(of: file), .tiles(of: file, side: 1, others: 0, items: 5000)] {
            let reason = try await check(try #require(bomb))
            #expect(reason?.contains("too many parts") == true)
        }
    }

    /// Returns the reason of a rejection.
    private func check(_ bomb: PhotoBomb) async throws -> String? {
        let folder = TemporaryFolder()
        try bomb.write(to: folder["bomb"])
        let script = try WorkerScript(in: folder)
        return try await WorkerFixture.running(script.path) { pool in
            var reason: String?
            do {
                _ = try await pool.work(on: "bomb", in: folder, timeout: .seconds(100))
            } catch let error as WorkerError {
                #expect(error.code == .refused, "\(error)")
                #expect(!error.description.isEmpty && !error.description.contains("\n"))
                reason = error.description
            }
            let worker = try #require(script.processes.first)
            #expect(try #require(ProcessTable.processorSeconds(of: worker)) < Self.maxSeconds)
            let peak = try #require(
                ProcessTable.status(of: worker, "VmHWM").flatMap { Int($0.split(separator: " ")[0]) })
            #expect(peak < Self.maxKilobytes)
            return reason
        }
    }
}
