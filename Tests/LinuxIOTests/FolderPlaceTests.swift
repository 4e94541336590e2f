import LinuxIO
import TestSupport
import Testing

struct FolderPlaceTests {
    @Test("A folder that was moved is the same, one that took its place is not")
    func replaced() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("inbox")
        let place = try FolderPlace(of: folder["inbox"])
        try folder.move("inbox", to: "other")
        try folder.makeFolder("inbox")
        #expect(try FolderPlace(of: folder["other"]) == place)
        #expect(try !FolderPlace(of: folder["inbox"]).isSame(as: place))
    }

    @Test("The same file system may have another number after the next mount, and another one the same number")
    func remounted() {
        let place = FolderPlace(device: 5, inode: 2, fileSystem: 77)
        #expect(FolderPlace(device: 6, inode: 2, fileSystem: 77).isSame(as: place))
        #expect(!FolderPlace(device: 5, inode: 2, fileSystem: 78).isSame(as: place))
        #expect(!FolderPlace(device: 5, inode: 3, fileSystem: 77).isSame(as: place))
        #expect(!FolderPlace(device: 6, inode: 2, fileSystem: 0).isSame(as: place))
        #expect(FolderPlace(device: 5, inode: 2, fileSystem: 0).isSame(as: place))
    }

    @Test("Another folder may be on the same file system, which another number of it says nothing about")
    func fileSystem() {
        let place = FolderPlace(device: 5, inode: 2, fileSystem: 77)
        #expect(FolderPlace(device: 6, inode: 3, fileSystem: 77).isOnSameFileSystem(as: place))
        #expect(!FolderPlace(device: 5, inode: 2, fileSystem: 78).isOnSameFileSystem(as: place))
        #expect(!FolderPlace(device: 6, inode: 2, fileSystem: 0).isOnSameFileSystem(as: place))
        #expect(FolderPlace(device: 5, inode: 3, fileSystem: 0).isOnSameFileSystem(as: place))
    }

    @Test("What is no folder is no place")
    func file() throws {
        let folder = try TemporaryFolder()
        try folder.write([1], to: "file")
        #expect(throws: (any Error).self) { try FolderPlace(of: folder["file"]) }
        #expect(throws: (any Error).self) { try FolderPlace(of: folder["nothing"]) }
    }
}
