import FileNames
import Foundation
import LinuxIO
import Logging
import PhotoLibrary
import PrometheusMetrics
import StickerDaemon
import SystemPackage
import TestSupport
import Testing

@Suite("The metrics file", .timeLimit(.minutes(1)))
struct MetricsWriterTests {
    private let folder: TemporaryFolder
    private let library: Library
    private let clock = ManualClock()
    private let log = RecordedLog()
    private let writer: MetricsWriter

    init() throws {
        let folder = TemporaryFolder()
        let library = try Library(in: folder.path, outbox: "/outbox")
        try folder.makeFolder("metrics")
        let log = log
        writer = try MetricsWriter(
            MetricsMemory(), file: folder["metrics/stickerd.prom"], library: library,
            disks: [("inbox", folder["missing"]), ("outbox", folder.path)], clock: clock,
            logger: Logger(label: "test") { _ in log })
        (self.folder, self.library) = (folder, library)
    }

    private var lines: [String] {
        (folder.text(of: "metrics/stickerd.prom") ?? "").split(separator: "\n").map(String.init)
    }

    /// Runs `body` during the writer's first pause, and then stops the writer.
    private func running(_ body: () async throws -> Void) async throws {
        async let run: Void = writer.run()
        do {
            defer { writer.stop() }
            #expect(try await eventually { clock.sleeps == [MetricsWriter.interval] })
            try await body()
        }
        await run
    }

    private func afterInterval(_ isTrue: () -> Bool) async throws {
        clock.advance(by: MetricsWriter.interval)
        #expect(try await eventually(isTrue), "\(lines)")
    }

    @Test(
        "It has the version, the states of photos, and free space of disks that are there, each interval and at the end"
    )
    func contents() async throws {
        try await running {
            #expect(lines.contains("stickerd_build_info{version=\"\(Release.version)\"} 1"))
            #expect(lines.contains("stickerd_queue_age_seconds 0"))
            #expect(lines.contains { $0.hasPrefix("stickerd_disk_free_bytes{disk=\"outbox\"} ") })
            #expect(!lines.contains { $0.hasPrefix("stickerd_disk_free_bytes{disk=\"inbox\"}") })
            try await arrive("a.jpg")
            try await afterInterval { lines.contains("stickerd_photos{state=\"pending\"} 1") }
            try await arrive("b.jpg")
        }
        #expect(lines.contains("stickerd_photos{state=\"pending\"} 2"))
        #expect(folder.files(below: "metrics").keys.sorted() == ["stickerd.prom"])
    }

    private func arrive(_ name: String) async throws {
        let identity = FileIdentity(device: 1, inode: 7, size: 100, modified: 1, changed: 1)
        _ = try await library.record([
            Arrival(path: InboxPath(bytes: Array(name.utf8)), identity: identity, verdict: .ready)
        ])
    }

    private var age: Double? {
        lines.first { $0.hasPrefix("stickerd_queue_age_seconds ") }?.split(separator: " ").last.flatMap { Double($0) }
    }

    private func isAge(_ seconds: Double) -> Bool { age.map { abs($0 - seconds) < 0.001 } ?? false }

    @Test("The queue's age is that of its oldest photo, and goes on while tries return it to the queue")
    func queueAge() async throws {
        try await arrive("a.jpg")
        try await running {
            let start = try #require(age)
            let claim = try #require(try await library.claim(limit: 1).first)
            try await afterInterval { isAge(start + 15) }
            try await library.release(claim)
            try await arrive("b.jpg")
            try await afterInterval { isAge(start + 30) }
            try await library.abandon(try #require(try await library.claim(limit: 1).first))
            try await afterInterval { age.map { $0 < 15 } ?? false }
        }
    }

    @Test("A file that cannot be written is one warning until it can be written again")
    func unwritable() async throws {
        try folder.rename("metrics", to: "elsewhere")
        try await running {
            #expect(log.said.count == 1 && log.said[0].hasPrefix("Cannot write the metrics file; retrying"))
            clock.advance(by: MetricsWriter.interval)
            #expect(try await eventually { clock.sleeps == [MetricsWriter.interval] })
            #expect(log.said.count == 1)
            try folder.rename("elsewhere", to: "metrics")
            try await afterInterval { log.said.last?.hasPrefix("Writing the metrics file again") ?? false }
            #expect(log.said.count == 2 && !lines.isEmpty)
            try folder.rename("metrics", to: "elsewhere")
            try await afterInterval { log.said.count == 3 }
        }
    }

    @Test("A link in the file's place is replaced, and what it leads to stays as it is; others may read the file")
    func link() async throws {
        try folder.write("precious", to: "victim")
        let file = "metrics/stickerd.prom"
        try folder.link(file, to: folder["victim"])
        try await running { () async throws in
            #expect(folder.text(of: "victim") == "precious")
            #expect(try FileStatus(of: folder[file]).kind == .regular && folder.mode(of: file) == 0o644)
        }
    }
}
