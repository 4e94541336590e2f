import SystemPackage
import Testing
import TestSupport

@testable import LinuxIO

@Suite("The table of mounts")
struct MountTableTests {
    @Test("A folder has the same place wherever a mount shows it")
    func places() throws {
        let folder = TemporaryFolder()
        let top = try #require(folder.path.resolved)
        for name in ["data/out/sub", "in/a b", "in/over"] { _ = try FolderTree.make(at: top.appending(name)) }
        let table = MountTable(
            text: Array(
                """
                20 1 8:1 / / rw - ext4 /dev/sda1 rw
                21 20 8:2 /srv \(top)/data rw shared:1 - ext4 /dev/sdb1 rw
                22 20 8:2 /srv/out/sub \(top)/in/a\\040b rw - ext4 /dev/sdb1 rw
                23 20 8:2 /srv/out \(top)/in/over rw - ext4 /dev/sdb1 rw
                24 23 0:5 / \(top)/in/over rw - tmpfs none rw
                a line that is none

                """.utf8))
        let out = try #require(table.place(of: top.appending("data/out")))
        let mounts = Dictionary(
            uniqueKeysWithValues: table.mounts(below: top.appending("in")).map { ($0.path, $0.place) })
        #expect(mounts.keys.sorted { "\($0)" < "\($1)" } == ["a b", "over"])
        #expect(mounts["a b"]?.isInside(out) == true)
        #expect(mounts["over"]?.isInside(out) == false)
        #expect(try #require(table.place(of: top.appending("in/a b"))).isInside(out))
        #expect(try #require(table.place(of: top.appending("in"))).isInside(out) == false)
        #expect(!out.isInside(try #require(mounts["a b"])))
        #expect(table.place(of: top.appending("missing")) == nil)
    }

    @Test("This process's table has the root")
    func own() throws {
        let root = try #require(MountTable().place(of: "/"))
        #expect(root.isInside(root))
    }
}
