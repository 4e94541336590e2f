import Foundation
import Glibc
import LinuxIO
import PhotoCodecs
import SystemPackage
import TestSupport
import Testing
import Workers

@Suite("A worker's confinement", .timeLimit(.minutes(1)))
struct WorkerConfinementTests {
    private let folder = WorkerFixture.folder()
    private let log = RecordedLog()

    private func make(_ pool: WorkerPool, _ photo: String = "photo.png") async throws {
        _ = try await pool.work(on: photo, in: folder, timeout: .seconds(30))
    }

    @Test(
        "Every thread of a worker is filtered, before its first photo and after it", .enabled(if: Confinement.isWhole))
    func filtered() async throws {
        let script = try WorkerScript(in: folder)
        try await WorkerFixture.running(script.path, log: log) { pool async throws in
            for _ in 0..<2 {
                try await make(pool)
                let worker = try #require(script.processes.first)
                let threads = try ProcessTable.numbers(in: "task", of: worker)
                #expect(threads.count > 2)
                for thread in threads {
                    #expect(ProcessTable.status(of: worker, thread: thread, "Seccomp") == "2")
                    #expect(ProcessTable.status(of: worker, thread: thread, "NoNewPrivs") == "1")
                }
            }
            #expect(script.processes.count == 1)
            #expect(!log.said.contains { $0.contains("confined") })
        }
    }

    // Only root may inspect a process that is not dumpable.
    @Test("A worker has its socket, standard output and error open, and nothing else", .enabled(if: geteuid() == 0))
    func descriptors() async throws {
        let script = try WorkerScript(in: folder)
        // A descriptor that a child would inherit.
        let inherited = unsafe open("/dev/null", O_RDONLY)
        defer { close(inherited) }
        try await WorkerFixture.running(script.path) { pool async throws in
            try await make(pool)
            let worker = try #require(script.processes.first)
            #expect(try await eventually { try ProcessTable.numbers(in: "fd", of: worker) == [0, 1, 2] })
            let socket = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(worker)/fd/0")
            #expect(socket.hasPrefix("socket:"))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(worker)/fd/1") == "/dev/null")
        }
    }

    @Test("The kernel kills a worker before its daemon when memory is short")
    func sacrifice() async throws {
        let script = try WorkerScript(in: folder)
        try await WorkerFixture.running(script.path) { pool async throws in
            try await make(pool)
            let worker = try #require(script.processes.first)
            let score = try String(contentsOfFile: "/proc/\(worker)/oom_score_adj", encoding: .utf8)
            #expect(score == "1000\n")
        }
    }

    @Test("The kernel knows a worker's limits", .enabled(if: Confinement.isWhole && geteuid() == 0))
    func limits() async throws {
        let script = try WorkerScript(in: folder)
        try await WorkerFixture.running(script.path) { pool async throws in
            try await make(pool)
            let worker = try #require(script.processes.first)
            let limits = try String(contentsOfFile: "/proc/\(worker)/limits", encoding: .utf8).split(separator: "\n")
            func soft(_ name: String) -> Substring? {
                limits.first { $0.hasPrefix(name) }?.dropFirst(name.count).split(separator: " ").first
            }
            #expect(soft("Max core file size") == "0")
            #expect(soft("Max file size") == "0")
            #expect(soft("Max open files") == "16")
            #expect(soft("Max cpu time") == "14400")
            // The hard limit: the worker cannot raise it.
            let stack = limits.first { $0.hasPrefix("Max stack size") }?.split(separator: " ")
            #expect(stack?.dropFirst(4).first == "\(8 << 20)")
            #expect(soft("Max data size") == "\(1 << 30 + 2 * DecodeLimits().maxMemory)")
        }
    }

    @Test("Photos of every format get a reply", arguments: FuzzCorpus.decoders)
    func formats(name: String) async throws {
        let script = try WorkerScript(in: folder)
        try await WorkerFixture.running(script.path) { pool async throws in
            for file in FuzzCorpus.names(in: name) {
                try folder.write(try FuzzCorpus.bytes(of: file, in: name), to: "photo")
                do {
                    try await make(pool, "photo")
                } catch let error as WorkerError {
                    #expect(error.code == .refused, "\(file): \(error)")
                }
            }
            #expect(script.processes.count == 1)
        }
    }

    @Test(
        "Every codec has been used before the confinement, JPEG's on the thread that decodes",
        .enabled(if: Confinement.isWhole))
    func firstUses() async throws {
        let script = try WorkerScript(in: folder, preloading: AskingLibrary.source(asking: folder["asked"]))
        try folder.write(try FuzzCorpus.bytes(of: "baseline.jpg", in: "jpeg"), to: "photo.jpg")
        try folder.write(try FuzzCorpus.bytes(of: "lossy.webp", in: "webp"), to: "photo.webp")
        try await WorkerFixture.running(script.path) { pool async throws in
            // The PNG has a subject, so its sticker and thumbnail are written, too.
            for photo in ["photo.jpg", "photo.webp", "photo.png"] { try await make(pool, photo) }
            let asked = try String(contentsOfFile: folder["asked"].string, encoding: .utf8).split(separator: "\n")
            #expect(Set(asked).count == AskingLibrary.functions)
            #expect(script.processes.count == 1)
        }
    }

    @Test("A worker with the lowest priority yields the processor, and no other does", arguments: [0, 19])
    func yields(niceness: Int) async throws {
        let functions = """
            #include <stdlib.h>
            int getpriority(int which, unsigned id) { (void)which; (void)id; return \(niceness); }
            int sched_yield(void) { abort(); }
            """
        let script = try WorkerScript(in: folder, preloading: functions)
        func work() async throws { try await WorkerFixture.running(script.path) { try await make($0) } }
        if niceness == 0 {
            try await work()
        } else {
            await #expect(throws: WorkerError.self, "no worker lives until it is ready") { try await work() }
        }
    }

    @Test("A missing layer of confinement is logged once, and work continues")
    func gaps() async throws {
        let script = try WorkerScript(in: folder, first: .isNotConfined)
        try await WorkerFixture.running(script.path, log: log) { pool async throws in
            try await make(pool)
            #expect(
                log.said.filter { $0.hasPrefix("Workers are not fully confined") && $0.contains("no filter") }.count
                    == 1)
        }
    }
}
