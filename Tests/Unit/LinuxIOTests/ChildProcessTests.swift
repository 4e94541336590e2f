import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite("A child process", .timeLimit(.minutes(1)))
struct ChildProcessTests {
    private let folder = TemporaryFolder()

    private func run(
        _ script: String, environment: [String: String] = [:], meanwhile: (ChildProcess) -> Void = { _ in }
    ) async throws -> ChildProcess.Ending {
        let input = try OwnedDescriptor(opening: "/dev/null")
        let (endings, ending) = AsyncStream.makeStream(of: ChildProcess.Ending.self)
        let child = try ChildProcess(
            "/bin/sh", arguments: ["sh", "-c", script], environment: environment, standardInput: input.raw
        ) { ending.yield($0) }
        meanwhile(child)
        for await ending in endings {
            // Its PID may belong to another process by now.
            child.kill()
            return ending
        }
        throw CancellationError()
    }

    @Test("reports its exit status", arguments: [("exit 0", 0), ("exit 7", 7), ("exit 255", 255)])
    func exits(script: String, code: Int32) async throws {
        #expect(try await run(script) == .exited(code))
    }

    @Test(
        "reports the signal that ended it, even one that is ignored here",
        arguments: [SIGTERM, SIGSEGV, SIGSYS, SIGPIPE])
    func signals(signal: Int32) async throws {
        // A shell cannot reset a signal that it inherits as ignored.
        _ = Glibc.signal(SIGPIPE, SIG_IGN)
        #expect(try await run("kill -\(signal) $$") == .signaled(signal))
    }

    @Test("is killed immediately and leaves no zombie")
    func killed() async throws {
        let before = try ProcessTable.all(below: getpid())
        #expect(try await run("exec sleep 1000", meanwhile: { $0.kill() }) == .signaled(SIGKILL))
        #expect(try ProcessTable.all(below: getpid()) == before)
    }

    @Test("has used processor time, until it is reaped")
    func processorTime() async throws {
        let input = try OwnedDescriptor(opening: "/dev/null")
        let (endings, ending) = AsyncStream.makeStream(of: Void.self)
        let child = try ChildProcess(
            "/bin/sh", arguments: ["sh", "-c", "while :; do :; done"], environment: [:], standardInput: input.raw
        ) { _ in ending.finish() }
        let first = try #require(child.processorTime)
        #expect(try await eventually { child.processorTime.map { $0 > first } == true })
        child.kill()
        for await _ in endings {}
        #expect(child.processorTime == nil)
    }

    @Test("inherits standard error and its input, and no other descriptor or variable")
    func inherits() async throws {
        let list = folder["list"]
        let inherited = dup(STDERR_FILENO)
        defer { close(inherited) }
        // No pipe: the shell would have both its ends open for a moment.
        let script = """
            exec > '\(list)'
            ls /proc/$$/fd; echo "$SECRET$GIVEN"
            """
        // Both strings are copied.
        unsafe setenv("SECRET", "secret", 1)
        #expect(try await run(script, environment: ["GIVEN": "given"]) == .exited(0))
        let text = try OwnedDescriptor(opening: list).contents()
        #expect(text == "0\n1\n2\ngiven\n")
    }

    @Test("without an executable fails to start")
    func missing() throws {
        #expect(throws: Errno.noSuchFileOrDirectory) {
            _ = try ChildProcess(
                folder["nothing"], arguments: ["nothing"], environment: [:], standardInput: 0, onEnd: { _ in })
        }
    }
}
