import Foundation
import Glibc
import LinuxIO
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@Suite("Signaling a running daemon", .timeLimit(.minutes(1)))
struct WakingTests {
    /// An unrelated process, which SIGUSR1 would end.
    private func stranger() throws -> (process: ChildProcess, id: Int32) {
        let input = try OwnedDescriptor(opening: "/dev/null")
        let before = try ProcessTable.children(of: getpid())
        let process = try ChildProcess(
            "/bin/sleep", arguments: ["sleep", "1000"], environment: [:], standardInput: input.raw, onEnd: { _ in })
        return (process, try #require(try ProcessTable.children(of: getpid()).first { !before.contains($0) }))
    }

    @Test(
        "A process that reuses the daemon's PID is not signaled",
        arguments: [["retry", "--failed"], ["remake"]])
    func reused(command: [String]) async throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(atPath: place.folder["state"].string, withIntermediateDirectories: true)
        // This process takes the lock, so it counts as the daemon.
        let library = try PhotoLibrary(in: place.folder["state"], outbox: place.folder["outbox"].string)
        let (stranger, number) = try stranger()
        defer { stranger.kill() }
        // The PID of the unrelated process, with another start time.
        let daemon = try ProcessIdentity.current().description.split(separator: " ").dropFirst()
        let reused = try #require(ProcessIdentity(([String(number)] + daemon.map(String.init)).joined(separator: " ")))
        try await library.recordProcess(reused)
        let process = try StickerdProcess(command + place.folders + place.config, in: place.folder)
        #expect(try await process.end() == 1)
        #expect(process.errors.contains("systemctl reload stickerd"))
        try await Task.sleep(for: .milliseconds(100))
        #expect(ProcessTable.isRunning(number))
        try library.close()
    }
}
