import Foundation
import Glibc
import LinuxIO
import PhotoLibrary
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Signaling a running daemon", .timeLimit(.minutes(1)))
struct WakingTests {
    @Test("A process that reuses the daemon's PID is not signaled", arguments: [["retry", "--failed"], ["remake"]])
    func reused(command: [String]) async throws {
        let place = Workplace()
        try place.folder.makeFolder("state")
        // This process takes the lock, so it counts as the daemon.
        let library = try Library(in: place.folder["state"], outbox: place.folder["outbox"].string)
        // An unrelated process, which SIGUSR1 would end.
        let input = try OwnedDescriptor(opening: "/dev/null")
        let ending = Mutex<ChildProcess.Ending?>(nil)
        let before = try ProcessTable.children(of: getpid())
        let stranger = try ChildProcess(
            "/bin/sleep", arguments: ["sleep", "1000"], environment: [:], standardInput: input.raw
        ) { how in ending.withLock { $0 = how } }
        defer { stranger.kill() }
        let number = try #require(try ProcessTable.children(of: getpid()).first { !before.contains($0) })
        // Its PID, with another start time.
        let daemon = try ProcessIdentity.current().description.split(separator: " ").dropFirst()
        let reused = ([String(number)] + daemon.map(String.init)).joined(separator: " ")
        let status = #"{"pid":\#(number),"process":"\#(reused)","since":"2001-09-09T01:46:40Z","waiting":[]}"#
        try library.write(lockText: Array(status.utf8))
        let process = try StickerdProcess(command + place.folders + place.config, in: place.folder)
        // As if the process with the lock, which has not named itself yet, were starting.
        #expect(try await process.end() == 0, "\(process.errors)")
        // The first deadly signal decides the status.
        stranger.kill()
        #expect(try await eventually { ending.withLock { $0 } != nil })
        #expect(ending.withLock { $0 } == .signaled(SIGKILL))
        try library.close()
    }
}
