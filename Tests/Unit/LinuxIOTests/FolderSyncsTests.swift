@testable import LinuxIO
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Shared fsyncs of folders", .timeLimit(.minutes(1)))
struct FolderSyncsTests {
    /// Counts fsyncs; the first blocks until `open`.
    private final class Disk: Sendable {
        let count = Mutex(0)
        let isOpen = Mutex(false)
        let error: Errno?

        init(_ error: Errno? = nil) { self.error = error }

        func sync(_ folder: Int32) throws(Errno) {
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            while isFirst, !isOpen.withLock({ $0 }) {}
            if !isFirst, let error { throw error }
        }
    }

    /// Calls that can wait for others, and one that cannot, if any; and whether their time passes.
    @Test(
        "Calls that can wait gather until their time is over, they are enough, or one comes that cannot",
        arguments: [(1, false, true), (3, false, true), (4, false, false), (2, true, false)])
    func gathering(calls: Int, hasUrgent: Bool, timePasses: Bool) async throws {
        let folder = TemporaryFolder()
        let open = try OwnedDescriptor(opening: folder.path, options: .directory)
        let (raw, clock) = (open.raw, ManualClock())
        let count = Mutex(0)
        let syncs = FolderSyncs(clock: clock) { _ in count.withLock { $0 += 1 } }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<calls { tasks.addTask { try await syncs.sync(raw, gathering: true) } }
            if timePasses {
                #expect(try await eventually { syncs.waiting == calls && clock.sleeps.count == 1 })
                #expect(count.withLock { $0 } == 0)
                clock.advance(by: FolderSyncs.gatheringTime)
            }
            if hasUrgent {
                #expect(try await eventually { syncs.waiting == calls })
                try await syncs.sync(raw)
            }
            try await tasks.waitForAll()
        }
        #expect(count.withLock { $0 } == 1)
        _ = consume open
    }

    @Test("A call whose time ends during an fsync has the next one")
    func endedDuringSync() async throws {
        let folder = TemporaryFolder()
        let open = try OwnedDescriptor(opening: folder.path, options: .directory)
        let (raw, clock, disk) = (open.raw, ManualClock(), Disk())
        let syncs = FolderSyncs(clock: clock) { folder throws(Errno) in try disk.sync(folder) }
        async let first: Void = syncs.sync(raw)
        #expect(try await eventually { disk.count.withLock { $0 } == 1 })
        async let second: Void = syncs.sync(raw, gathering: true)
        #expect(try await eventually { clock.sleeps.count == 1 })
        clock.advance(by: FolderSyncs.gatheringTime)
        try await Task.sleep(for: .milliseconds(50))
        disk.isOpen.withLock { $0 = true }
        _ = try await (first, second)
        #expect(disk.count.withLock { $0 } == 2)
        _ = consume open
    }

    @Test("A call whose task is cancelled does not wait for others")
    func cancelled() async throws {
        let folder = TemporaryFolder()
        let open = try OwnedDescriptor(opening: folder.path, options: .directory)
        let raw = open.raw
        let syncs = FolderSyncs(clock: ManualClock()) { _ in }
        // Its time never ends by this clock, so it must be cancelled before it begins.
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.cancelAll()
            tasks.addTask { try await syncs.sync(raw, gathering: true) }
            try await tasks.waitForAll()
        }
        _ = consume open
    }

    /// Calls `sync` once, and `calls` times more while that is running. Returns how many calls failed.
    private func sync(_ calls: Int, on disk: Disk) async throws -> Int {
        let folder = TemporaryFolder()
        let open = try OwnedDescriptor(opening: folder.path, options: .directory)
        let raw = open.raw
        let syncs = FolderSyncs { folder throws(Errno) in try disk.sync(folder) }
        let failed = await withTaskGroup { tasks in
            for _ in 0...calls {
                tasks.addTask {
                    do {
                        try await syncs.sync(raw)
                        return 0
                    } catch { return 1 }
                }
            }
            _ = try? await eventually { syncs.waiting == calls }
            disk.isOpen.withLock { $0 = true }
            return await tasks.reduce(0, +)
        }
        _ = consume open
        return failed
    }

    @Test("Calls that come during an fsync share the next one")
    func shared() async throws {
        let disk = Disk()
        #expect(try await sync(20, on: disk) == 0)
        #expect(disk.count.withLock { $0 } == 2)
    }

    @Test("Each call that shares a failed fsync throws its error")
    func failed() async throws {
        let disk = Disk(.ioError)
        #expect(try await sync(20, on: disk) == 20)
    }
}
