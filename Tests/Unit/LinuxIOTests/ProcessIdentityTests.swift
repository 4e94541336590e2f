import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite("A process's identity", .timeLimit(.minutes(1)))
struct ProcessIdentityTests {
    @Test("A signal reaches only this process, none with its PID later or in another namespace")
    func signal() async throws {
        let input = try OwnedDescriptor(opening: "/dev/null")
        let (endings, ending) = AsyncStream.makeStream(of: ChildProcess.Ending.self)
        let before = try ProcessTable.children(of: getpid())
        let child = try ChildProcess(
            "/bin/sleep", arguments: ["sleep", "1000"], environment: [:], standardInput: input.raw
        ) { ending.yield($0) }
        defer { child.kill() }
        let id = try #require(try ProcessTable.children(of: getpid()).first { !before.contains($0) })
        let identity = try ProcessIdentity(of: id)
        #expect(ProcessIdentity(identity.description) == identity)
        let words = identity.description.split(separator: " ").map(String.init)
        for text in ["\(id) 1 \(words[2])", "\(id) \(words[1]) 1", "\(id)"] {
            let other = try #require(ProcessIdentity(text))
            #expect(throws: Errno.noSuchProcess, "\(text)") { try other.signal(SIGUSR1) }
        }
        #expect(ProcessTable.isRunning(id))
        try identity.signal(SIGUSR1)
        for await ending in endings {
            #expect(ending == .signaled(SIGUSR1))
            break
        }
        #expect(throws: Errno.self) { try identity.signal(SIGUSR1) }
    }
}
