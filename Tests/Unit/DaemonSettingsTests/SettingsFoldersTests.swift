import Foundation
import LinuxIO
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@testable import DaemonSettings

@Suite struct SettingsFoldersTests {
    let fixture = SettingsFixture()

    private func load(_ inbox: String, _ outbox: String, _ state: String = "state") throws -> Settings {
        let json = #"{"inbox": "\#(inbox)", "outbox": "\#(outbox)", "state": "\#(state)"}"#
        return try fixture.load(json)
    }

    private func refusal(_ inbox: String, _ outbox: String, _ state: String = "state") throws -> String {
        try fixture.refusal(#"{"inbox": "\#(inbox)", "outbox": "\#(outbox)", "state": "\#(state)"}"#)
    }

    @Test(arguments: [
        ("a", "a/b", "c", #"outbox "a/b" lies inside inbox "a""#),
        ("a/b", "a", "c", #"inbox "a/b" lies inside outbox "a""#),
        ("a", "a", "c", #"outbox "a" is the same folder as inbox "a""#),
        ("a", "a/", "c", #"is the same folder as inbox"#),
        ("a", "b/../a/c", "c", #"outbox "b/../a/c" lies inside inbox "a""#),
        ("a", "b", "a/c", #"state "a/c" lies inside inbox "a""#),
        ("a", "b", "b", #"state "b" is the same folder as outbox "b""#),
        ("link/x", "real", "c", #"inbox "link/x" lies inside outbox "real""#),
        ("file", "b", "c", #"inbox "file" is not a folder, or is below a file"#),
        ("a", "file/deep", "c", #"outbox "file/deep" is not a folder, or is below a file"#),
    ])
    func `Overlapping folders are an error`(
        inbox: String, outbox: String, state: String, expected: String
    ) throws {
        try fixture.folder.makeFolder("real")
        try fixture.folder.link("link", to: "real")
        try fixture.folder.write([], to: "file")
        #expect(try refusal(inbox, outbox, state).contains(expected))
    }

    @Test(arguments: [("state/inbox", "state/outbox", "state"), ("a", "ab", "abc"), ("x/../a", "x", "b")])
    func `Separate folders, or folders inside the state folder, are accepted`(
        inbox: String, outbox: String, state: String
    ) throws {
        #expect(try load(inbox, outbox, state).inbox == fixture.folder.path.pushing(FilePath(inbox)))
    }

    @Test(arguments: [
        ("in/archive", "failed", #"originals.archive "in/archive" lies inside inbox "in""#),
        ("archive", "out", #"originals.failed "out" is the same folder as outbox "out""#),
        (".", "failed", #"inbox "in" lies inside originals.archive "."#),
        ("state/../in", "failed", #"originals.archive "state/../in" is the same folder as inbox "in""#),
        ("archive", "archive/failed", #"originals.failed "archive/failed" lies inside originals.archive "archive""#),
        ("archive", "archive", #"originals.failed "archive" is the same folder as originals.archive "archive""#),
        ("state", "failed", #"state "state" is the same folder as originals.archive "state""#),
    ])
    func `Folders for originals must not overlap the others, if they are used`(
        archive: String, failed: String, expected: String
    ) throws {
        func json(_ mode: String) -> String {
            """
            {"inbox": "in", "outbox": "out", "state": "state",
            "originals": {"mode": "\(mode)", "archive": "\(archive)", "failed": "\(failed)"}}
            """
        }
        #expect(try fixture.refusal(json("archive")).contains(expected))
        #expect(try fixture.refusal(json("keep")) == "accepted")
    }

    @Test(arguments: [
        ("in/Trip/a.prom", #"metrics.file "in/Trip/a.prom" lies inside inbox"#),
        ("out/../link/a.prom", #"metrics.file "out/../link/a.prom" lies inside outbox"#),
        ("state/config.json", #"metrics.file "state/config.json" must end in .prom"#),
        (".prom", "must end in .prom"),
        ("state/a.prom", "accepted"),
    ])
    func `The metrics file is no photo, not published, and replaces no file of another purpose`(
        file: String, expected: String
    ) throws {
        try fixture.folder.makeFolder("out")
        try fixture.folder.link("link", to: "out")
        let json = #"{"inbox": "in", "outbox": "out", "state": "state", "metrics": {"file": "\#(file)"}}"#
        #expect(try fixture.refusal(json).contains(expected))
    }

    @Test func `By default, originals are moved to folders next to the inbox, which are created`() throws {
        let settings = try fixture.load(
            #"{"inbox": "a/in", "outbox": "out", "state": "state", "originals": {"mode": "archive"}}"#)
        #expect(settings.archive == fixture.folder["a/archive"])
        #expect(settings.failed == fixture.folder["a/failed"])
        try settings.prepareFolders()
        #expect(fixture.folder.exists("a/archive") && fixture.folder.exists("a/failed"))
    }

    @Test func `Loading creates no folder; preparing creates them all, and a second time changes nothing`() throws {
        let settings = try load("deep/in", "deep/out", "deep/er/state")
        #expect(!fixture.folder.exists("deep"))
        try settings.prepareFolders()
        try settings.prepareFolders()
        for folder in [settings.inbox, settings.outbox, settings.state] {
            #expect(try FileStatus(of: folder).kind == .folder)
        }
    }

    @Test func `A folder that cannot be created is reported with its source and hides no other`() throws {
        // No user can create a folder in procfs.
        let settings = try load("in", "/proc/outbox", "/proc/state")
        let error = #expect(throws: SettingsError.self) { try settings.prepareFolders() }
        #expect(error?.problems.map(\.key) == ["outbox", "state"])
        let first = try #require(error?.problems.first)
        #expect(first.source == .file(fixture.file, line: 1))
        #expect(first.reason.hasPrefix(#"outbox "/proc/outbox" cannot be created or written: "#))
    }

    @Test func `A folder that systemd hides behind an empty file system is found`() throws {
        // A tmpfs on every system.
        let shared = FilePath("/dev/shm/stickerd-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: shared.string, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: shared.string) }
        #expect(ServiceFolders.hiding(shared.appending("alice/Photos"), homes: [shared]) == shared)
        #expect(ServiceFolders.hiding(shared.appending("alice/Photos"), homes: ["/home"]) == nil)
        // As if the unit bound it there.
        #expect(ServiceFolders.hiding("/dev/pts/new", homes: ["/dev"]) == nil)
        #expect(ServiceFolders.hiding(fixture.folder["in"], homes: [fixture.folder.path]) == nil)
    }

    @Test(
        "A path is one word of a unit's list, or has none",
        arguments: [
            ("/srv/in", "/srv/in"), ("/srv/My in", #""/srv/My in""#), ("/srv/100%", #""/srv/100%%""#),
            (#"/srv/a\b"c"#, #""/srv/a\\b\"c""#), ("/srv/\"\u{301}", "\"/srv/\\\"\u{301}\""), ("/srv/a\nb", nil),
        ] as [(String, String?)])
    func word(path: String, word: String?) {
        #expect(ServiceFolders.word(path) == word)
        #expect(
            ServiceFolders.cure("BindPaths", FilePath(path)).hasSuffix(word.map { "BindPaths=\($0)" } ?? "in paths"))
    }

    @Test func `A missing archive is created again, unless it was on another disk`() async throws {
        let settings = try fixture.load(
            #"{"inbox": "in", "outbox": "out", "state": "state", "originals": {"mode": "archive"}}"#)
        let (archive, failed) = (settings.archive, settings.failed)
        try settings.prepareFolders()
        let library = try Library(in: settings.state, outbox: settings.resolvedOutbox.string)
        let disk = DirectoryIdentity(device: 1, inode: 2, fileSystem: 3)
        try await library.rememberReceiver(archive, at: disk)
        try await library.rememberReceiver(failed, at: DirectoryIdentity(of: failed))
        try library.close()
        for folder in [archive, failed] { try FileManager.default.removeItem(atPath: folder.string) }
        try settings.prepareFolders()
        #expect(!FileManager.default.fileExists(atPath: archive.string))
        #expect(FileManager.default.fileExists(atPath: failed.string))
    }

    @Test func `A missing outbox that was used before is not created`() async throws {
        let settings = try load("in", "link", "state")
        try fixture.folder.link("link", to: "disk/out")
        try fixture.folder.makeFolder("disk/out")
        try settings.prepareFolders()
        let library = try Library(in: settings.state, outbox: settings.resolvedOutbox.string)
        _ = try await library.identify(as: UUID())
        try library.close()
        let path = settings.resolvedOutbox
        try fixture.folder.remove("disk")
        try settings.prepareFolders()
        #expect(!fixture.folder.exists("disk"))
        // The same outbox, even if the link is dangling.
        #expect(settings.resolvedOutbox == path)
    }
}
