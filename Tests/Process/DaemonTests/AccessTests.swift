import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("A Library that this user may not read", .timeLimit(.minutes(2)))
struct AccessTests {
    private let place = Workplace()

    private func close(_ isClosed: Bool) throws {
        try place.folder.setMode(isClosed ? 0 : 0o700, of: "state/library")
    }

    @Test("Every command says so, and none that no daemon is running")
    func denied() async throws {
        let daemon = try await place.start()
        try close(true)
        let commands = [
            ["status"], ["status", "--json"], ["explain", "a.png"], ["verify"], ["verify", "--repair"],
            ["retry", "--failed"], ["remake", "--all"], ["remove", "a.png"], ["restore", "a.png"],
        ]
        for command in commands {
            let process = try StickerdProcess(command + place.folders, in: place.folder, mayReadAll: false)
            #expect(try await process.end() == 1)
            #expect(process.errors == "\(place.folder["state"]): Permission denied; use sudo\n", "\(command)")
            #expect(process.printed.isEmpty)
        }
        // Without --state, a line names the data that was found.
        let found = try await place.run("status", mayReadAll: false, exits: 1)
        #expect(!found.errors.contains("running"))
        try close(false)
        #expect(try await place.command("status").printed.hasPrefix("daemon      running since "))
        #expect(try await daemon.stop() == 0)
    }

    @Test("A start without room for the Library names the state folder")
    func noRoom() async throws {
        let place = Workplace()
        // The thread sanitizer's runtime maps a file that it writes to TMPDIR, without checking that it is complete.
        let daemon = try StickerdProcess(
            ["run"] + place.folders + place.config, in: place.folder,
            shell: #"ulimit -f 8; export TMPDIR=/none; exec "$@""#)
        try await daemon.ends(with: 1, #_sourceLocation)
        #expect(daemon.errors.contains("\(place.folder["state"]): the Library cannot be used ("), "\(daemon.errors)")
    }

    @Test(
        "A start names the process that holds the lock, not the daemon that was killed, and whose workers have ended",
        .enabled(if: isPython))
    func holder() async throws {
        let first = try await place.start()
        #expect(try await eventually { try !first.workers().isEmpty })
        let workers = try first.workers()
        first.signal(SIGKILL)
        #expect(try await first.end() == -SIGKILL)
        #expect(try await eventually { !workers.contains { ProcessTable.isRunning($0) } })
        let script = """
            import fcntl, struct, sys, time
            file = open(sys.argv[1])
            fcntl.fcntl(file, 37, struct.pack('hhqqi4x', fcntl.F_RDLCK, 0, 0, 0, 0))
            print('locked', flush=True); time.sleep(100)
            """
        let other = Process()
        other.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        other.arguments = ["-c", script, place.folder["state/library/library.lock"].string]
        let output = Pipe()
        other.standardOutput = output
        try other.run()
        defer { other.terminate() }
        #expect(output.fileHandleForReading.readData(ofLength: 7) == Data("locked\n".utf8))
        let second = try await place.command("run", exits: 1)
        #expect(second.errors.contains(": process \(other.processIdentifier) (python3) uses this state folder"))
        #expect(try await place.command("status").printed.hasPrefix("daemon      not running\n"))
    }

    private static let isPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
}
