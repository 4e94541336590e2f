import CLinuxShims
import Glibc
package import SystemPackage

/// Removing a file only if it is the expected one. unlink(2) takes a name, and another file can be renamed to that name
/// after any look at it: the file is first moved aside, to a name that only stickerd uses, and looked at there.
extension FileMove {
    /// Removes the file if it is the expected one. Any other file with this name stays.
    ///
    /// - Parameter aside: a name that only this file gets, from `AtomicFile.asideName`; by it a call after a crash
    ///   finishes what the earlier one began.
    /// - Returns: whether it was removed; on disk then.
    /// - Throws: after a throw the file has its name, or `aside`.
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

    /// Removes the file that lies aside if it is the expected one; else it gets its name back.
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

    /// Gives a file its name back, or, where another file has that by now, a numbered one: neither is lost. On disk when
    /// it returns. No such file is no error.
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

    /// For a file system with neither RENAME_NOREPLACE nor link(2), as FAT and some of FUSE's: a file that gets the name
    /// between the look and the rename is replaced. Otherwise the photo would keep a name that no other program sees.
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
                    // A file system without RENAME_NOREPLACE. No other program uses this name.
                    _ = try Errno.retry { unsafe renameat(folder, name, folder, aside) }
                }
            }
        }
    }

    static func randomAside() -> [UInt8] {
        AtomicFile.asideName(String(UInt64.random(in: .min ... .max), radix: 16))
    }
}
