import LinuxIO
import SystemPackage
import TestSupport
import Testing

struct FileSystemKindTests {
    @Test(
        "File systems that others write to are known by their numbers in statfs(2)",
        arguments: [(0x6969, "NFS"), (0xFF53_4D42, "CIFS"), (0xFE53_4D42, "SMB"), (0x6573_5546, "FUSE")])
    func silent(magic: UInt64, name: String) {
        #expect(FileSystemKind(magic: magic).nameIfSilent == name)
    }

    @Test(
        "Local ones tell of every change: ext4, XFS, btrfs, tmpfs, overlay",
        arguments: [
            0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630,
        ])
    func local(magic: UInt64) {
        #expect(FileSystemKind(magic: magic).nameIfSilent == nil)
    }

    @Test("The kernel is asked", arguments: ["/proc", "/sys", "/dev"])
    func asked(path: String) throws {
        let descriptor = try OwnedDescriptor(opening: FilePath(path), options: .directory)
        let kind = try FileSystemKind(ofDescriptor: descriptor.raw)
        #expect(kind.nameIfSilent == nil)
        #expect(kind != FileSystemKind(magic: 0))
    }
}
