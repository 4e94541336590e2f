import DaemonSettings
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import Diagnosis
@testable import LinuxIO

@Suite("A folder's diagnosis")
struct FolderFactsTests {
    private let folder = TemporaryFolder()
    private static let healthy: FolderFacts = {
        var facts = FolderFacts(name: "outbox", path: "/home/me/My stickers", isWritten: true)
        (facts.view, facts.access, facts.fileSystem, facts.freeBytes) = (.same, .allowed, "ext4", 1 << 40)
        return facts
    }()

    private func findings(_ facts: FolderFacts, watch: String = "auto", isNew: Bool = false) throws -> [Finding] {
        let settings = try Settings.load(
            arguments: SettingsOverrides(assignments: ["watch.mode=\(watch)"]), environment: [:], configFile: nil)
        return facts.findings(settings, user: "stickerd", isNew: isNew)
    }

    @Test("A usable folder is one line with its file system, its room, and what the daemon's user may do")
    func healthy() throws {
        #expect(
            try findings(Self.healthy) == [
                .ok("outbox", "/home/me/My stickers: ext4, 1024 GiB free, stickerd may write it")
            ])
        var inbox = Self.healthy
        inbox = FolderFacts(name: "inbox", path: "/in", isWritten: false)
        #expect(try findings(inbox).map(\.level) == [.note])
        (inbox.fileSystem, inbox.silentName) = ("nfs4", "NFS")
        #expect(try findings(inbox) == [.ok("inbox", "/in: nfs4, changes are found by polling")])
    }

    struct Fault: Sendable {
        let change: @Sendable (inout FolderFacts) -> Void
        let text: String
        let cure: String
    }

    @Test(
        "Each fault has its cure",
        arguments: [
            Fault(change: { $0.view = .hidden }, text: "is hidden", cure: #"BindPaths="/home/me/My stickers""#),
            Fault(
                change: { $0.view = .readOnly }, text: "not writable", cure: #"ReadWritePaths="/home/me/My stickers""#),
            Fault(
                change: { ($0.view, $0.isAway) = (.readOnly, true) }, text: "is not the folder", cure: "sudo mount -a"),
            Fault(
                change: { ($0.access, $0.isAway) = (.refused(.permissionDenied), true) }, text: "is not the folder",
                cure: "sudo mount -a"),
            Fault(
                change: { $0.access = .refused(.noSuchFileOrDirectory) }, text: "is missing",
                cure: "sudo install -d -o stickerd '/home/me/My stickers'"),
            Fault(
                change: { $0.access = .refused(.readOnlyFileSystem) }, text: "mounted read-only",
                cure: "findmnt -no TARGET -T '/home/me/My stickers'"),
            Fault(
                change: { $0.access = .refused(.permissionDenied) }, text: "stickerd may not write to it",
                cure: "sudo setfacl -R -m u:stickerd:rwX,d:u:stickerd:rwX '/home/me/My stickers'"),
            Fault(
                change: { ($0.access, $0.barrier) = (.refused(.permissionDenied), "/home/me") },
                text: "stickerd may not enter /home/me", cure: "sudo setfacl -m u:stickerd:x /home/me"),
            Fault(
                change: { ($0.access, $0.isOwned) = (.refused(.permissionDenied), true) }, text: "may not write to it",
                cure: "sudo chmod -R u+rwX '/home/me/My stickers'"),
            Fault(
                change: { ($0.access, $0.barrier, $0.isOwned) = (.refused(.permissionDenied), "/home/me", true) },
                text: "may not enter /home/me", cure: "sudo chmod u+x /home/me"),
            Fault(change: { $0.access = .refused(.ioError) }, text: "Input/output error", cure: "sudo dmesg"),
            Fault(change: { $0.access = .refused(.notDirectory) }, text: "Not a directory", cure: "ls -ld"),
            Fault(
                change: { $0.freeBytes = 31 << 20 }, text: "31 MiB free; limits.minFreeBytes requires 100", cure: "du"),
        ])
    func faults(_ fault: Fault) throws {
        var facts = Self.healthy
        fault.change(&facts)
        let findings = try findings(facts)
        #expect(findings.count == 1 && findings[0].level == .fault)
        #expect(findings[0].text.contains(fault.text) && findings[0].text.hasPrefix("/home/me/My stickers "))
        #expect(findings[0].cure?.contains(fault.cure) == true, "\(findings[0].cure ?? "none")")
    }

    @Test("A folder that the package made is made by the same rule again, so that group members may use it")
    func installed() throws {
        var inbox = FolderFacts(name: "inbox", path: "/var/lib/stickerd/inbox", isWritten: false)
        inbox.access = .refused(.noSuchFileOrDirectory)
        #expect(try findings(inbox).first?.cure?.hasSuffix(": sudo systemd-tmpfiles --create stickerd.conf") == true)
    }

    @Test("inotify alone on a file system that misses changes is a fault; so is no folder that the first start makes")
    func modes() throws {
        var inbox = FolderFacts(name: "inbox", path: "/mnt", isWritten: false)
        (inbox.fileSystem, inbox.silentName) = ("fuse", "FUSE")
        #expect(try findings(inbox, watch: "inotify").first?.text.contains("on FUSE") == true)
        #expect(try findings(inbox, watch: "polling").first?.level == .ok)
        inbox.access = .refused(.noSuchFileOrDirectory)
        #expect(try findings(inbox, isNew: true).first?.level == .note)
    }

    @Test("Cures have the path behind a link, which is a fault if it leads to nothing, also before the first start")
    func link() throws {
        try folder.link("outbox", to: "/missing/stickers")
        let settings = try Settings.load(
            arguments: SettingsOverrides(outbox: folder["outbox"].string), environment: [:], configFile: nil)
        let facts = FolderFacts.gather(settings, Account(user: geteuid()), daemon: nil, nil)
        let finding = try #require(
            facts.first { $0.name == "outbox" }?.findings(settings, user: "stickerd", isNew: true).first)
        #expect(finding.level == .fault && finding.text == "\(folder["outbox"]) is missing")
        #expect(finding.cure == "mount its disk, or create it: sudo install -d -o stickerd /missing/stickers")
    }

    @Test("The folder of the metrics file must be there, and be writable for the service")
    func metrics() throws {
        let settings = try Settings.load(
            arguments: SettingsOverrides(assignments: ["metrics.file=/missing/stickerd.prom"]), environment: [:],
            configFile: nil)
        let unit = UnitFacts(text: "ProtectSystem=strict")
        let gathered = FolderFacts.gather(settings, Account(user: geteuid()), daemon: nil, unit)
        var facts = try #require(gathered.last)
        func finding() -> Finding? { facts.findings(settings, user: "stickerd", isNew: true).first }
        #expect(facts.name == "metrics.file" && finding()?.cure?.contains("ReadWritePaths=/missing") == true)
        facts.view = .same
        #expect(finding()?.level == .fault && finding()?.text == "/missing is missing")
        facts.access = .refused(.permissionDenied)
        #expect(finding()?.cure == "run: sudo setfacl -m u:stickerd:rwx /missing")
    }

    @Test("A folder that the unit binds elsewhere is examined where it is, and cures for the host name it")
    func bound() throws {
        for name in ["disk/in", "srv/in"] { try folder.makeFolder(name) }
        let top = try #require(folder.path.resolved)
        let settings = try Settings.load(
            arguments: SettingsOverrides(inbox: top.appending("srv/in").string), environment: [:], configFile: nil)
        func inbox(_ source: String) throws -> FolderFacts {
            let unit = UnitFacts(text: "BindPaths=\(top)/\(source):\(top)/srv/in:rbind\nProtectSystem=strict")
            return try #require(FolderFacts.gather(settings, Account(user: geteuid()), daemon: nil, unit).first)
        }
        let present = try inbox("disk/in")
        #expect(present.host == top.appending("disk/in") && present.view == .same && present.access == .allowed)
        let missing = try inbox("disk/missing")
        let finding = missing.findings(settings, user: "stickerd").first
        #expect(finding?.text == "\(top)/srv/in is missing")
        #expect(finding?.cure?.hasSuffix(" \(top)/disk/missing") == true)
    }

    @Test("Only folders that are written need a writable mount")
    func onlyRead() throws {
        var inbox = FolderFacts(name: "inbox", path: "/in", isWritten: false)
        (inbox.view, inbox.access) = (.readOnly, .allowed)
        #expect(try findings(inbox).first?.level == .ok)
    }

    @Test("The mounts of a process tell whether it sees a folder, and may write to it")
    func view() throws {
        let top = try #require(folder.path.resolved)
        for name in ["home/me", "srv/in"] { try folder.makeFolder(name) }
        func table(_ lines: String...) -> MountTable {
            MountTable(text: Array((["20 1 8:1 / / rw - ext4 /dev/sda1 rw"] + lines).joined(separator: "\n").utf8))
        }
        let own = table()
        let theirs = table(
            "21 20 0:40 / \(top)/home ro - tmpfs tmpfs ro", "22 20 8:1 \(top)/srv \(top)/srv ro - ext4 /dev/sda1 rw")
        let bound = table(
            "21 20 0:40 / \(top)/home ro - tmpfs tmpfs ro",
            "23 21 8:1 \(top)/home/me \(top)/home/me rw - ext4 /dev/sda1 rw")
        func view(_ path: FilePath, _ own: MountTable, _ theirs: MountTable, host: FilePath? = nil) -> FolderFacts.View?
        {
            FolderFacts.view(of: path, host ?? path, own, theirs)
        }
        #expect(view(top.appending("home/me"), own, theirs) == .hidden)
        #expect(view(top.appending("home/me"), own, bound) == .same)
        #expect(view(top.appending("srv/in"), own, theirs) == .readOnly)
        #expect(view(top.appending("srv/in"), own, own) == .same)
        // The disk itself is read-only, which the unit cannot change.
        #expect(view(top.appending("srv/in"), theirs, theirs) == .same)
        #expect(view(top.appending("missing"), own, theirs) == nil)
        // Another folder is bound there, as the unit says, or not.
        let other = table("24 20 8:1 \(top)/home/me \(top)/srv/in rw - ext4 /dev/sda1 rw")
        #expect(view(top.appending("srv/in"), own, other, host: top.appending("home/me")) == .same)
        #expect(view(top.appending("srv/in"), own, other) == .hidden)
        #expect(own.fileSystem(of: top)?.type == "ext4")
        // ext4 has met an error, and the flags say nothing.
        let failed = table("25 20 8:1 / \(top)/srv rw,relatime - ext4 /dev/sdb1 rw,emergency_ro")
        #expect(failed.fileSystem(of: top.appending("srv/in"))?.isReadOnly == true)
        #expect(failed.fileSystem(of: top)?.isReadOnly == false)
    }

    @Test("The kernel answers for another user: rights, and the folder that bars the way", .enabled(if: geteuid() == 0))
    func access() throws {
        try folder.makeFolder("closed/inner")
        let nobody = Account(user: try #require(Account.user(named: "nobody")))
        let inner = folder["closed/inner"]
        #expect(nobody.access(to: inner, R_OK | X_OK) == .allowed)
        #expect(nobody.access(to: inner, W_OK) == .refused(.permissionDenied))
        try folder.setMode(0o700, of: "closed")
        #expect(nobody.access(to: inner, R_OK) == .refused(.permissionDenied))
        #expect(FolderFacts.barrier(to: inner, nobody) == folder["closed"])
        #expect(geteuid() == 0 && Account(user: 0).access(to: inner, W_OK) == .allowed)
    }
}
