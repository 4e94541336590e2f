import CLinuxShims
import Glibc
package import SystemPackage

/// Removes a file only if it is the expected one. unlink(2) takes a name, to which another file can be renamed after
/// any check. So the file is first moved aside, to a name that only stickerd uses, and checked there.
extension FileMove {
    /// Removes the file if it is the expected one. Any other file of this name stays.
    ///
    /// - Parameter aside: this file's own name, from `AtomicFile.asideName`. After a crash, a call with the same name
    ///   completes the removal.
    /// - Returns: whether the file was removed; if so, the removal is synced.
    /// - Throws: the cause; the file then has its own name or the aside one.
    @discardableResult
    package static func remove(
        _ name: [UInt8], in folder: Int32, aside: [UInt8]? = nil, isExpected: (FileStatus) -> Bool
    ) throws(Errno) -> Bool {
        if let aside, try finishRemoval(of: name, in: folder, aside: aside, isExpected: isExpected) { return true }
        let aside = aside ?? randomAside()
        do throws(Errno) {
            guard isExpected(try FileStatus(of: name, in: folder)) else { return false }
            try moveAside(name, in: folder, to: aside)
        } catch .noSuchFileOrDirectory {
            return false
        }
        return try finishRemoval(of: name, in: folder, aside: aside, isExpected: isExpected)
    }

    /// Removes the file that was moved aside if it is the expected one; otherwise restores its name.
    private static func finishRemoval(
        of name: [UInt8], in folder: Int32, aside: [UInt8], isExpected: (FileStatus) -> Bool
    ) throws(Errno) -> Bool {
        let status: FileStatus
        do throws(Errno) {
            status = try FileStatus(of: aside, in: folder)
        } catch .noSuchFileOrDirectory {
            return false
        }
        guard isExpected(status) else {
            try putBack(aside, in: folder, as: name, in: folder)
            return false
        }
        try AtomicFile.remove(aside, in: folder)
        try synchronize(folder)
        return true
    }

    /// Restores a file's name, or numbers it if another file has taken the name, and syncs the folder. Does nothing if
    /// there is no such file.
    ///
    /// - Parameter move: renames without replacing anything; arguments as in `rename`.
    package static func putBack(
        _ current: [UInt8], in folder: Int32, as name: [UInt8], in home: Int32,
        by move: ([UInt8], Int32, [UInt8], Int32) throws(Errno) -> Void = {
            (name, folder, newName, newFolder) throws(Errno) in
            try rename(name, in: folder, to: newName, in: newFolder)
        }
    ) throws(Errno) {
        for candidate in NumberedName.candidates(for: name) {
            do throws(Errno) {
                do throws(Errno) {
                    try move(current, folder, candidate, home)
                } catch .notPermitted, .notSupported {
                    try renameUnguarded(current, in: folder, to: candidate, in: home)
                }
            } catch .fileExists {
                continue
            } catch .noSuchFileOrDirectory {
                return
            }
            try synchronize(home)
            return try synchronize(folder)
        }
        throw .fileExists
    }

    /// Renames on a file system with neither RENAME_NOREPLACE nor link(2), such as FAT and some FUSE file systems. This
    /// can replace a file that takes the name between check and rename; failing instead would leave the photo under a
    /// hidden name.
    private static func renameUnguarded(
        _ name: [UInt8], in folder: Int32, to newName: [UInt8], in newFolder: Int32
    ) throws(Errno) {
        let isTaken: Bool
        do throws(Errno) {
            _ = try FileStatus(of: newName, in: newFolder)
            isTaken = true
        } catch .noSuchFileOrDirectory {
            isTaken = false
        }
        if isTaken { throw .fileExists }
        try name.withCString { name throws(Errno) in
            try newName.withCString { newName throws(Errno) in
                // Both strings outlive the call.
                _ = try Errno.retry { unsafe renameat(folder, name, newFolder, newName) }
            }
        }
    }

    private static func moveAside(_ name: [UInt8], in folder: Int32, to aside: [UInt8]) throws(Errno) {
        try name.withCString { name throws(Errno) in
            try aside.withCString { aside throws(Errno) in
                do throws(Errno) {
                    // Both strings outlive the call.
                    _ = try Errno.retry { unsafe linux_rename_new(folder, name, folder, aside) }
                } catch .invalidArgument {
                    // The file system lacks RENAME_NOREPLACE. No other program uses this name.
                    _ = try Errno.retry { unsafe renameat(folder, name, folder, aside) }
                }
            }
        }
    }

    static func randomAside() -> [UInt8] {
        AtomicFile.asideName(String(UInt64.random(in: .min ... .max), radix: 16))
    }
}

/// Names for files whose own name is taken.
package enum NumberedName {
    /// NAME_MAX of Linux.
    package static let maxBytes = 255
    /// The most files that may share a name.
    private static let maxNumber = 10_000

    /// `cat.jpg`, `cat-2.jpg`, `cat-3.jpg`… Stems are cut so that the name and a suffix of `room` bytes fit into
    /// `maxBytes`.
    package static func candidates(for name: [UInt8], room: Int = 0) -> some Sequence<[UInt8]> {
        let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count
        return (1...maxNumber).lazy.map { number in
            let ending = Array((number > 1 ? "-\(number)" : "").utf8) + name[dot...]
            return cut(name[..<dot], to: max(1, maxBytes - room - ending.count)) + ending
        }
    }

    /// Cuts only between UTF-8 sequences.
    private static func cut(_ stem: ArraySlice<UInt8>, to length: Int) -> [UInt8] {
        guard stem.count > length else { return Array(stem) }
        var end = stem.startIndex + length
        while end > stem.startIndex, stem[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(stem[..<end])
    }
}
