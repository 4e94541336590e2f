@testable import Conditions
import FileNames
import LinuxIO
import Logging
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Conditions")
struct ConditionsTests {
    private let log = RecordedLog()
    private let calls = Counter()
    private let conditions: CurrentConditions

    init() {
        conditions = CurrentConditions(logger: Logger(label: "test") { [log] _ in log }) { [calls] in
            calls.count.add(1, ordering: .relaxed)
        }
    }

    @Test("A shortage of room tells what is free, what is to be written, and what must stay free")
    func shortage() {
        func text(_ needed: Int, _ minFreeBytes: Int) -> String {
            FileSystemSpace.shortage(at: "/srv", free: 31 << 20, needed: needed, minFreeBytes: minFreeBytes)
        }
        #expect(text(0, 100 << 20) == "/srv: only 31 MiB are free; limits.minFreeBytes requires 100 MiB")
        #expect(text(40 << 20 + 1, 0) == "/srv: only 31 MiB are free; up to 41 MiB are to be written")
        #expect(
            text(1, 31 << 20)
                == "/srv: only 31 MiB are free; up to 1 MiB are to be written, and limits.minFreeBytes requires 31 MiB "
                + "to stay free")
    }

    @Test("Each new reason and the end are logged once")
    func reported() {
        conditions.end(.library)
        #expect(calls.value == 0)
        conditions.begin(.library, because: "full")
        conditions.begin(.library, because: "full")
        #expect(calls.value == 1)
        conditions.begin(.library, because: "gone")
        #expect(calls.value == 2 && conditions.reasons == ["gone"])
        conditions.end(.library)
        conditions.end(.library)
        #expect(calls.value == 3 && conditions.reasons.isEmpty)
        #expect(log.said.count { $0.contains(Condition.library.beginning) } == 2)
        #expect(log.said.count { $0.contains(Condition.library.end) } == 1)
    }

    @Test("A refusal holds what it affects until the next try, with growing waits")
    func scopes() throws {
        let cats = ExactName("Cats")
        let first = try #require(conditions.refuse(.photo(7), because: "EIO"))
        #expect(conditions.refuse(.photo(7), because: "EIO") == nil)
        #expect(first >= .milliseconds(800) && first <= .milliseconds(1200))
        _ = conditions.refuse(.pack(cats), because: "read-only")
        #expect(conditions.held == CurrentConditions.Held(all: false, packs: [cats], files: [7]))
        _ = conditions.refuse(.diskFull, because: "1 MB free")
        #expect(conditions.held.all)
        conditions.end(.diskFull)
        #expect(conditions.reasons == ["EIO", "read-only"])
    }

    @Test("A condition whose photos are gone is dropped and holds nothing")
    func forgotten() {
        _ = conditions.refuse(.photo(7), because: "EIO", for: .milliseconds(800))
        #expect(log.said.count { $0.contains(#""seconds": 1"#) } == 1, "\(log.said)")
        conditions.begin(.inboxAway, because: "unmounted")
        conditions.forget(dueBy: .now + .seconds(2))
        #expect(conditions.reasons == ["unmounted"])
        #expect(conditions.held == CurrentConditions.Held(all: true))
    }

    @Test("Too many unreadable photos stop the inbox")
    func manyUnreadable() {
        for file in 0..<Int64(17) { _ = conditions.refuse(.photo(file), because: "EIO") }
        #expect(conditions.has(.inboxUnreadable))
        #expect(conditions.held.all && conditions.held.files.count == 16)
    }

    private final class Counter: Sendable {
        let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
    }
}
