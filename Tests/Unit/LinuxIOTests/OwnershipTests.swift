import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite("Files that belong to others")
struct OwnershipTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("Another user's file is named with its owner and the command that changes it", .enabled(if: geteuid() == 0))
    func other() throws {
        try folder.write([1], to: "it's mine/lock")
        let (file, place) = (folder["it's mine/lock"], folder["it's mine"])
        // The string outlives the call.
        #expect(unsafe chown(file.string, 54_321, 54_321) == 0)
        let quoted = place.string.replacing("'", with: #"'\''"#)
        #expect(
            Ownership.fix(for: file, in: place)
                == "\(file) belongs to 54321, and stickerd runs as root; run: sudo chown -R --from=54321 root: '\(quoted)'"
        )
    }

    @Test("A file of this user has no such cure, and neither has a missing one")
    func own() throws {
        try folder.write([1], to: "lock")
        #expect(Ownership.fix(for: folder["lock"], in: folder.path) == nil)
        #expect(Ownership.fix(for: folder["missing"], in: folder.path) == nil)
    }
}
