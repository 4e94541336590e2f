import Glibc
import LinuxIO
import SystemPackage
import Testing

@Suite struct SerialThreadTests {
    private actor Diary: ThreadOwner {
        let thread: SerialThread
        private(set) var lines: [Int] = []
        private(set) var threads: Set<Int> = []

        init(_ waits: DiskWaits? = nil) throws {
            thread = try SerialThread(name: "diary", diskWaits: waits)
        }

        func blockForOther(until descriptor: Int32) { thread.waitingForOther { block(until: descriptor) } }

        func note(_ line: Int) {
            lines.append(line)
            threads.insert(Int(pthread_self()))
        }

        func threadName() throws -> String {
            let path = "/proc/thread-self/comm"
            return try OwnedDescriptor(opening: .init(path)).contents()
        }

        func block(until descriptor: Int32) {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&watched, 1, 30_000)
        }
    }

    @Test("An actor's jobs run in order on one thread", .timeLimit(.minutes(1)))
    func oneThread() async throws {
        let diary = try Diary()
        for line in 0..<1000 { await diary.note(line) }
        #expect(await diary.lines == Array(0..<1000))
        #expect(await diary.threads.count == 1)
    }

    @Test("The thread has the executor's name", .timeLimit(.minutes(1)))
    func name() async throws {
        #expect(try await Diary().threadName() == "diary\n")
    }

    @Test("A blocked thread does not block others", .timeLimit(.minutes(1)))
    func blocking() async throws {
        let wake = try Wake()
        let blocked = try (0..<8).map { _ in try Diary() }
        await withTaskGroup { group in
            for diary in blocked { group.addTask { await diary.block(until: wake.raw) } }
            await Task.yield()
            // Eight threads block; this test needs one of the pool's two.
            let other = await Task { 42 }.value
            #expect(other == 42)
            wake.raise()
        }
    }

    @Test("A long job counts as waiting for a disk, except while it waits for something else", .timeLimit(.minutes(1)))
    func diskWaits() async throws {
        let wake = try Wake()
        let waits = DiskWaits()
        let diary = try Diary(waits)
        await withTaskGroup { group in
            group.addTask { await diary.blockForOther(until: wake.raw) }
            try? await Task.sleep(for: .milliseconds(1500))
            #expect(!waits.isWaiting)
            wake.raise()
        }
        let disk = try Wake()
        await withTaskGroup { group in
            group.addTask { await diary.block(until: disk.raw) }
            while !waits.isWaiting { try? await Task.sleep(for: .milliseconds(10)) }
            disk.raise()
        }
        await diary.note(1)
        #expect(!waits.isWaiting)
    }

    @Test("The thread ends when the executor is released", .timeLimit(.minutes(1)))
    func release() async throws {
        var diary: Diary? = try Diary()
        await diary?.note(1)
        weak let thread = diary?.thread
        diary = nil
        while thread != nil { await Task.yield() }
        #expect(thread == nil)
    }

    private final class Wake: Sendable {
        private let signal: WakeSignal
        init() throws { signal = try WakeSignal() }
        var raw: Int32 { signal.raw }
        func raise() { signal.raise() }
    }
}
