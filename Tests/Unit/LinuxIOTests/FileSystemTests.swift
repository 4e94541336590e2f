import LinuxIO
import SystemPackage
import Testing
import TestSupport

struct DirectoryIdentityTests {
    @Test("A moved folder is the same, one in its place is not")
    func replaced() throws {
        let folder = TemporaryFolder()
        try folder.makeFolder("inbox")
        let place = try DirectoryIdentity(of: folder["inbox"])
        try folder.rename("inbox", to: "other")
        try folder.makeFolder("inbox")
        #expect(try DirectoryIdentity(of: folder["other"]) == place)
        #expect(try !DirectoryIdentity(of: folder["inbox"]).isSame(as: place))
    }

    @Test("A folder is recognized after a remount under another device number, or without an identifier by that number")
    func remounted() {
        let place = DirectoryIdentity(device: 5, inode: 2, fileSystem: 77)
        #expect(DirectoryIdentity(device: 6, inode: 2, fileSystem: 77).isSame(as: place))
        #expect(!DirectoryIdentity(device: 5, inode: 2, fileSystem: 78).isSame(as: place))
        #expect(!DirectoryIdentity(device: 5, inode: 3, fileSystem: 77).isSame(as: place))
        #expect(!DirectoryIdentity(device: 6, inode: 2, fileSystem: 0).isSame(as: place))
        #expect(DirectoryIdentity(device: 5, inode: 2, fileSystem: 0).isSame(as: place))
    }

    @Test("A file system is recognized by its identifier, or without one by its device number")
    func fileSystem() {
        let place = DirectoryIdentity(device: 5, inode: 2, fileSystem: 77)
        #expect(DirectoryIdentity(device: 6, inode: 3, fileSystem: 77).isOnSameFileSystem(as: place))
        #expect(!DirectoryIdentity(device: 5, inode: 2, fileSystem: 78).isOnSameFileSystem(as: place))
        #expect(!DirectoryIdentity(device: 6, inode: 2, fileSystem: 0).isOnSameFileSystem(as: place))
        #expect(DirectoryIdentity(device: 5, inode: 3, fileSystem: 0).isOnSameFileSystem(as: place))
    }

    @Test("Only folders are accepted")
    func file() throws {
        let folder = TemporaryFolder()
        try folder.write([1], to: "file")
        #expect(throws: (any Error).self) { try DirectoryIdentity(of: folder["file"]) }
        #expect(throws: (any Error).self) { try DirectoryIdentity(of: folder["nothing"]) }
    }
}

struct FileSystemKindTests {
    @Test(
        "File systems that other machines write to are recognized by statfs(2)'s magic number",
        arguments: [(0x6969, "NFS"), (0xFF53_4D42, "CIFS"), (0xFE53_4D42, "SMB"), (0x6573_5546, "FUSE")])
    func silent(magic: UInt64, name: String) {
        #expect(FileSystemKind(magic: magic).nameIfSilent == name)
    }

    @Test(
        "Local file systems report every change: ext4, XFS, btrfs, tmpfs, overlay",
        arguments: [
            0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630,
        ])
    func local(magic: UInt64) {
        #expect(FileSystemKind(magic: magic).nameIfSilent == nil)
    }

    @Test("The kernel reports the type of an open folder's file system", arguments: ["/proc", "/sys", "/dev"])
    func asked(path: String) throws {
        let descriptor = try OwnedDescriptor(opening: FilePath(path), options: .directory)
        let kind = try FileSystemKind(ofDescriptor: descriptor.raw)
        #expect(kind.nameIfSilent == nil)
        #expect(kind != FileSystemKind(magic: 0))
    }
}
