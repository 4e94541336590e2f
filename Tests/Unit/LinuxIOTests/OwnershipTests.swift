import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite("Files that belong to others")
struct OwnershipTests {
    private let folder = TemporaryFolder()

    @Test("Another user's file is named with its owner and the command that changes it", .enabled(if: geteuid() == 0))
    func other() throws {
        try folder.write([1], to: "it's mine/lock")
        let (file, place) = (folder["it's mine/lock"], try #require(folder["it's mine"].resolved))
        // The string outlives the call.
        #expect(unsafe chown(file.string, 54_321, 54_321) == 0)
        let quoted = place.string.replacing("'", with: #"'\''"#)
        #expect(
            Ownership.fix(for: file, in: place)
                == "\(file) belongs to 54321, and stickerd runs as root; run: sudo chown -R --from=54321 root: '\(quoted)'"
        )
    }

    @Test(
        "A text is one word of a command, whatever it contains",
        arguments: ["/srv/Photos-1", "My photos", "it's", "'\u{301}; echo no", "$(echo no)"])
    func words(text: String) throws {
        #expect(try run("sh", ["-c", "printf %s \(Ownership.shellWord(text))"]).output == text)
    }

    @Test("Behind a link, the owner is that of the file, and the command has the path", .enabled(if: geteuid() == 0))
    func linked() throws {
        try folder.write([1], to: "disk/library/lock")
        try folder.makeFolder("state")
        try folder.link("state/library", to: "../disk/library")
        try folder.link("linked", to: "state")
        let (state, disk) = (try #require(folder["state"].resolved), try #require(folder["disk"].resolved))
        // The strings outlive the calls.
        #expect(unsafe lchown(folder["state/library"].string, 54_321, 54_321) == 0)
        #expect(Ownership.fix(for: folder["state/library"], in: folder["state"]) == nil)
        #expect(unsafe chown(disk.appending("library").string, 54_321, 54_321) == 0)
        let fix = Ownership.fix(for: folder["state/library"], in: folder["state"])
        #expect(fix?.hasSuffix(" root: \(disk.appending("library"))") == true)
        #expect(unsafe chown(state.string, 54_321, 54_321) == 0)
        #expect(Ownership.fix(for: folder["linked"], in: folder["linked"])?.hasSuffix(" root: \(state)") == true)
    }

    @Test("A file of this user has no such cure, and neither has a missing one")
    func own() throws {
        try folder.write([1], to: "lock")
        #expect(Ownership.fix(for: folder["lock"], in: folder.path) == nil)
        #expect(Ownership.fix(for: folder["missing"], in: folder.path) == nil)
    }
}
