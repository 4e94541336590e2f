@testable import Conditions
import FileNames
import Logging
import Synchronization
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
        _ = conditions.refuse(.photo(7), because: "EIO")
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

    @Test("Every condition has its own message, and those that stop photos have journal events")
    func messages() {
        let cats = ExactName("Cats")
        let all: [Condition] = [
            .inboxAway, .inboxUnreadable, .outboxAway, .diskFull, .shortage, .library, .workers, .originals,
            .pack(cats), .index(ofPack: cats), .archive(ofPack: cats), .photo(1),
        ]
        #expect(Set(all.map(\.beginning)).count == all.count)
        for condition in all where condition.scope != .elsewhere { #expect(condition.events != nil) }
    }

    private final class Counter: Sendable {
        let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
    }
}
