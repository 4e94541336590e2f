import SystemPackage
import TestSupport
import Testing

@testable import Diagnosis

@Suite("The unit's diagnosis")
struct UnitFactsTests {
    private let unit = UnitFacts(
        text: """
            LoadState=loaded
            ActiveState=active
            Result=success
            MainPID=812
            User=stickerd
            Environment=LIBDISPATCH_LOG=NO "STICKERD_INBOX=/srv/my photos"
            StateDirectory=stickerd
            ProtectHome=tmpfs
            ProtectSystem=strict
            ReadWritePaths=/srv/photos -/srv/archive
            BindPaths=/home/me/Photos:/home/me/Photos:rbind -/mnt/My disk/in:/srv/My in:rbind /mnt/out:/srv/My in/out
            BindReadOnlyPaths=/mnt/a:b:/srv/a:b
            PrivateNetwork=yes
            PrivateUsers=no
            """)

    @Test(
        "What the unit hides and protects, and what its lines open again",
        arguments: [
            ("/var/lib/stickerd/inbox", FolderFacts.View.same), ("/srv/photos", .same), ("/srv/archive/x", .same),
            ("/srv/photos2", .readOnly), ("/etc", .readOnly), ("/home/me/Pictures", .hidden), ("/root", .hidden),
            ("/home/me/Photos/Trip", .same), ("/srv/My in/Trip", .same), ("/srv/a:b", .readOnly),
            ("/mnt/out", .readOnly),
        ])
    func view(folder: String, view: FolderFacts.View) {
        #expect(unit.view(of: FilePath(folder)) == view)
    }

    @Test(
        "What the unit binds to a path is the folder that the service sees there",
        arguments: [
            ("/srv/My in", "/mnt/My disk/in"), ("/srv/My in/Trip", "/mnt/My disk/in/Trip"),
            ("/srv/My in/out/x", "/mnt/out/x"), ("/srv/a:b", "/mnt/a:b"), ("/srv/My", "/srv/My"),
            ("/home/me/Photos/Trip", "/home/me/Photos/Trip"),
        ])
    func source(path: String, source: String) {
        #expect(unit.source(of: FilePath(path)) == FilePath(source))
    }

    @Test("A unit without protection hides nothing")
    func open() {
        #expect(UnitFacts(text: "ProtectHome=no\nProtectSystem=no").view(of: "/home/me") == .same)
        #expect(UnitFacts(text: "ProtectHome=read-only").view(of: "/home/me") == .readOnly)
    }

    @Test("Its environment, folders and process are read, and what fails is a failure")
    func values() {
        #expect(unit.environment["STICKERD_INBOX"] == "/srv/my photos")
        #expect(unit.environment["STATE_DIRECTORY"] == "/var/lib/stickerd")
        #expect(unit.process == 812 && !unit.isFailed)
        let odd = UnitFacts(text: #"Environment="STICKERD_INBOX=/srv/\"a\" \\\$b" B=c"#)
        #expect(odd.environment["STICKERD_INBOX"] == #"/srv/"a" \$b"# && odd.environment["B"] == "c")
        let failed = UnitFacts(text: "ActiveState=failed\nResult=exit-code\nMainPID=0")
        #expect(failed.process == nil && failed.isFailed)
        #expect(WorkerFacts.wantedNamespaces(unit) == ["mnt", "net"])
    }

    @Test("A unit of make install that hides the package's is a fault, and alone is none")
    func hiding() {
        let local = UnitFacts(text: "FragmentPath=/usr/local/lib/systemd/system/stickerd.service")
        #expect(local.hidingFinding { $0 == "/lib/systemd/system/stickerd.service" }?.level == .fault)
        #expect(local.hidingFinding { _ in false } == nil)
        let packaged = UnitFacts(text: "FragmentPath=/lib/systemd/system/stickerd.service")
        #expect(packaged.hidingFinding { _ in true } == nil)
    }

    @Test(
        "A unit that systemd cannot start is a fault of its own, and still says whose state it would have",
        arguments: [
            ("masked\nUser=\nStateDirectory=", "is masked", "systemctl unmask stickerd"),
            ("bad-setting\nUser=stickerd\nStateDirectory=stickerd", "has a bad setting", "systemd-analyze verify"),
        ])
    func obstacle(state: String, reason: String, cure: String) throws {
        let unit = UnitFacts(text: "LoadState=\(state)\nResult=success")
        #expect(unit["User"] == "stickerd" && unit.environment["STATE_DIRECTORY"] == "/var/lib/stickerd")
        let facts = DaemonFacts(isRunning: false, unit: unit)
        let finding = try #require(facts.findings(state: "/var/lib/stickerd").first)
        #expect(finding.text == "not running: its unit \(reason)" && finding.cure?.contains(cure) == true)
    }

    @Test("A link in place of the state folder is what systemd refuses, and its target is not called protected")
    func linkedState() throws {
        let folder = TemporaryFolder()
        try folder.makeFolder("disk")
        try folder.link("state", to: folder["disk"])
        let unit = UnitFacts(
            text: "ExecMainStatus=238\nProtectSystem=strict\nStateDirectory=../..\(folder.path)/state")
        #expect(unit.obstacle?.reason.contains("has a link to \(folder["disk"])") == true)
        #expect(unit.view(of: folder["disk/inbox"]) == .same)
        #expect(unit.view(of: folder["other"]) == .readOnly)
    }

    @Test("The unit's state folder is the unit's, whomever it belongs to, and no other user's folder is")
    func state() throws {
        let folder = TemporaryFolder()
        let unit = UnitFacts(text: "User=other\nStateDirectory=../..\(folder.path)/a")
        for name in ["a", "b"] { try folder.makeFolder(name) }
        let state = FilePath("/var/lib/../..").appending(folder.path.components)
        #expect(DaemonFacts.gather(state: state.appending("a"), unit).unit == unit)
        #expect(DaemonFacts.gather(state: state.appending("b"), unit).unit == nil)
    }
}
