import DaemonSettings
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import Diagnosis

@Suite("The worker's diagnosis", .timeLimit(.minutes(1)))
struct WorkerFactsTests {
    private let folder = TemporaryFolder()

    private func facts(_ settings: [String] = [], worker: FilePath) async throws -> WorkerFacts {
        let settings = try Settings.load(
            arguments: SettingsOverrides(assignments: settings), environment: [:], configFile: nil)
        return await WorkerFacts.gather(settings, executable: worker, daemon: nil, nil)
    }

    @Test("A real worker's start and a sticker are timed")
    func real() async throws {
        let facts = try await facts(worker: try StickerdBinary.path)
        #expect(facts.failure == nil)
        #expect(try #require(facts.start) > .zero && #require(facts.photo) > .zero)
        #expect(facts.findings.first?.level == .ok && facts.findings.first?.text.hasPrefix("starts in ") == true)
    }

    @Test("A worker that cannot start, or dies of the picture, is a fault with the reason")
    func dead() async throws {
        let missing = try await facts(worker: folder["missing"])
        #expect(missing.findings.first?.text.hasSuffix(": the workers exit before they are ready") == true)
        let crashes = try await facts(worker: try WorkerScript(in: folder, first: .crashes).path)
        #expect(crashes.findings.first?.text.contains("its worker crashed (signal 11)") == true)
    }

    @Test("A worker that takes too long is a fault that names the setting")
    func late() async throws {
        let worker = try WorkerScript(in: folder, first: .burns).path
        let facts = try await facts(["limits.secondsPerPhoto=1"], worker: worker)
        #expect(facts.findings.first?.text.contains("timed out (limits.secondsPerPhoto: 1)") == true)
    }

    @Test("A missing layer of the confinement is a fault")
    func gaps() async throws {
        let facts = try await facts(worker: try WorkerScript(in: folder, first: .isNotConfined).path)
        #expect(facts.findings.last?.level == .fault && facts.findings.last?.text == "no filter")
    }

    @Test("A child that has limited its descriptors, and not the others, is a worker that should have a filter")
    func confining() throws {
        func child(_ command: String...) throws -> Process {
            let process = Process()
            (process.executableURL, process.arguments) = (URL(fileURLWithPath: "/usr/bin/env"), command)
            try process.run()
            return process
        }
        let starting = try child("sleep", "60")
        let limited = try child("prlimit", "--nofile=16:16", "sleep", "60")
        defer { for process in [starting, limited] { process.terminate() } }
        let end = ContinuousClock.now + .seconds(30)
        var found: Set<Int32> = []
        while !found.contains(limited.processIdentifier), .now < end {
            found = WorkerFacts.workers(of: getpid()).unfiltered
        }
        #expect(found.contains(limited.processIdentifier) && !found.contains(starting.processIdentifier))
    }

    @Test("So are a worker of the daemon without a filter, and a namespace that the unit asks for in vain")
    func daemon() {
        var facts = WorkerFacts()
        #expect(facts.findings.last?.level == .ok)
        facts.namespaces = (own: ["mnt", "user"], wanted: ["mnt"])
        #expect(facts.findings.last?.text.hasSuffix("own namespaces: mnt, user") == true)
        facts.namespaces = (own: ["mnt"], wanted: ["mnt", "net"])
        #expect(facts.findings.last?.level == .fault && facts.findings.last?.text.hasSuffix(": net") == true)
        (facts.running, facts.unfiltered) = (2, 1)
        #expect(facts.findings.last?.text == "1 of 2 workers have no system call filter")
    }
}
