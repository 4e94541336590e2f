import Foundation
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@testable import Diagnosis

@Suite("The diagnosis of watches, memory, the clock and the caller")
struct ResourceFactsTests {
    @Test("Watches that run out are a fault, and none at all worth knowing, with the limit to raise")
    func watches() {
        #expect(WatchFacts(daemon: 3, used: 3, limit: 1000).finding?.level == .ok)
        let full = WatchFacts(daemon: 3, used: 960, limit: 1000).finding
        #expect(full?.level == .fault)
        #expect(full?.cure?.contains("fs.inotify.max_user_watches=65536") == true)
        #expect(WatchFacts(limit: 1000).finding == nil)
        #expect(WatchFacts(daemon: 0, used: 0, limit: 0).finding?.level == .fault)
        let none = WatchFacts(daemon: 0, used: 0, limit: 1000).finding
        #expect(none?.level == .note)
        #expect(none?.cure?.contains("fs.inotify.max_user_instances=1024") == true)
    }

    @Test("This process's own watches are counted")
    func ownWatches() throws {
        let (folder, inotify) = (TemporaryFolder(), try Inotify())
        let before = WatchFacts.gather(daemon: getpid())
        _ = try inotify.watch(folder.path, for: .created)
        let after = WatchFacts.gather(daemon: getpid())
        #expect(try #require(after.daemon) == #require(before.daemon) + 1)
        #expect(after.used >= 1 && after.limit ?? 0 > 0)
    }

    @Test("More watches than one read holds are all counted")
    func manyWatches() throws {
        let folder = TemporaryFolder()
        let line =
            "inotify wd:2b ino:5f0a2 sdev:800001 mask:5cc ignored_mask:0 fhandle-bytes:8 fhandle-type:1 f_handle:a2f\n"
        try folder.write("pos:\t0\n" + String(repeating: line, count: 20_000), to: "fdinfo")
        #expect(WatchFacts.watches(in: folder["fdinfo"]) == 20_000)
        #expect(WatchFacts.watches(in: folder["missing"]) == 0)
    }

    @Test("More workers than the memory allows are a fault, with the number that fits")
    func memory() {
        var facts = MemoryFacts(workers: 4, photo: 150 << 20)
        (facts.machine, facts.group) = (1 << 30, nil)
        #expect(facts.finding.level == .fault && facts.finding.cure?.hasPrefix("set workers to 3 or") == true)
        #expect(facts.finding.text.hasSuffix("1024 MiB is all this machine has"))
        (facts.machine, facts.group) = (8 << 30, 512 << 20)
        #expect(facts.finding.cure?.contains("set workers to 1 or") == true)
        #expect(facts.finding.cure?.contains("MemoryMax=") == true)
        facts.group = 4 << 30
        #expect(facts.finding.level == .ok)
        facts.model = 2 << 30
        #expect(facts.finding.level == .fault)
    }

    @Test(
        "Of a service that is not running, the lower of the unit's two limits counts",
        arguments: [
            ("MemoryMax=5900\nMemoryHigh=4576", 4576), ("MemoryMax=75\nMemoryHigh=infinity", 75),
            ("MemoryMax=infinity\nMemoryHigh=infinity", nil),
        ] as [(String, Int?)])
    func stopped(unit: String, limit: Int?) {
        #expect(MemoryFacts(workers: 1, photo: 1, daemon: nil, UnitFacts(text: unit)).group == limit)
    }

    @Test("The lowest limit of a control group and those above it counts, in both versions")
    func groups() throws {
        let folder = TemporaryFolder()
        try folder.write("max\n", to: "system.slice/stickerd.service/memory.max")
        try folder.write("3000\n", to: "system.slice/stickerd.service/memory.high")
        try folder.write("2000\n", to: "system.slice/memory.max")
        try folder.write("1000\n", to: "memory/user/memory.limit_in_bytes")
        #expect(MemoryFacts.limit(of: "0::/system.slice/stickerd.service\n", below: folder.path) == 2000)
        #expect(MemoryFacts.limit(of: "4:cpu,memory:/user/a\n0::/system.slice\n", below: folder.path) == 1000)
        #expect(MemoryFacts.limit(of: "0::/\nno line\n", below: folder.path) == nil)
    }

    @Test("A recorded time in the future is a fault unless the clock is synchronized, and a photo's own time is not")
    func clock() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        var facts = ClockFacts(now: now, isSynchronized: false)
        facts.recorded = [("the daemon's start", now + 60), ("the Library's last entry", now - 60)]
        #expect(facts.findings.map(\.level) == [.ok])
        facts.newestFile = ("a.jpg", now + 86_400)
        #expect(facts.findings.map(\.level) == [.note])
        facts.recorded.append(("the index in the outbox", now + 3600))
        #expect(facts.findings.map(\.level) == [.fault, .note])
        #expect(facts.findings[0].text.contains("the index in the outbox is from 2027-01-15T09:00:00Z"))
        #expect(facts.findings[0].cure?.contains("timedatectl") == true)
        facts.isSynchronized = true
        #expect(facts.findings.map(\.level) == [.note, .note])
        #expect(facts.findings[0].text.contains("2027-01-15T09:00:00Z: the clock was wrong then"))
    }

    private func caller(_ change: (inout CallerFacts) -> Void) -> Finding {
        var facts = CallerFacts(user: "alice", group: "stickerd", isGroups: true, canDrop: false)
        change(&facts)
        return facts.finding
    }

    @Test("A caller who is no member, or was none when the session began, learns how to drop photos")
    func group() {
        #expect(caller { $0.canDrop = true }.level == .ok)
        let outsider = caller { ($0.isMember, $0.isInSession) = (false, false) }
        #expect(outsider.level == .fault && outsider.cure == "run: sudo adduser alice stickerd, and log in again")
        #expect(caller { ($0.isMember, $0.isInSession, $0.isAdministrator) = (false, true, true) }.level == .note)
        let early = caller { $0.isInSession = false }
        #expect(early.level == .fault && early.cure == "log out and in again, or run: newgrp stickerd")
        let closed = caller { ($0.isGroups, $0.grant) = (false, "sudo setfacl -m u:alice:rwx /in") }
        #expect(closed.cure == "run: sudo setfacl -m u:alice:rwx /in")
    }
}
