import CLinuxShims
import Glibc
package import SystemPackage

/// Changes of the names in an open folder, each atomic, but not durable until `synchronize`.
extension OwnedDescriptor {
    /// Errors of `link` that mean that these two names cannot be one file, so that only a copy helps.
    package static let linkRefusals: Set<Errno> = [
        .notPermitted, .improperLink, .notSupported, .tooManyLinks, .noFunction,
    ]

    /// Gives a file of this folder another name in another folder, replacing any file of that name (linkat(2),
    /// renameat(2)).
    ///
    /// - Throws: one of `linkRefusals` if the file systems refuse.
    package func link(_ name: [UInt8], as newName: [UInt8], in folder: borrowing OwnedDescriptor) throws(Errno) {
        let temporary = AtomicFile.temporaryName()
        let target = folder.raw
        try name.withCString { name throws(Errno) in
            try temporary.withCString { temporary throws(Errno) in
                // Both strings outlive the call.
                _ = try Errno.retry { unsafe linkat(raw, name, target, temporary, 0) }
            }
        }
        defer {
            // If both names already were the same file, renaming changed nothing (rename(2)).
            try? AtomicFile.remove(temporary, in: target)
        }
        try FileMove.renameOver(temporary, in: target, to: newName, in: target)
    }

    /// Removes a file of this folder. Returns false if there was none.
    package func removeFile(_ name: [UInt8]) throws(Errno) -> Bool {
        do throws(Errno) {
            try AtomicFile.remove(name, in: raw)
            return true
        } catch .noSuchFileOrDirectory {
            return false
        }
    }

    /// Removes a folder of this folder if it is empty. Returns false if there is none, or if it is not empty.
    @discardableResult
    package func removeEmptyFolder(_ name: [UInt8]) throws(Errno) -> Bool {
        do throws(Errno) {
            try name.withCString { name throws(Errno) in
                // The string outlives the call.
                _ = try Errno.retry { unsafe unlinkat(raw, name, AT_REMOVEDIR) }
            }
            return true
        } catch .noSuchFileOrDirectory, .directoryNotEmpty, .fileExists, .notDirectory {
            return false
        }
    }

    /// Locks this folder until it is closed (flock(2)); fcntl(2) locks only what is open for writing. A file system
    /// without locks excludes no other process.
    ///
    /// - Throws: `Errno.wouldBlock` immediately if it is locked, even by this process.
    package func lock() throws(Errno) {
        do throws(Errno) {
            _ = try Errno.retry { flock(raw, LOCK_EX | LOCK_NB) }
        } catch let error where error != .wouldBlock {
            // Then it excludes no other process.
        }
    }

    /// Makes all changes of the names in this folder durable.
    package func synchronize() throws(Errno) { try AtomicFile.synchronize(raw) }

    /// Makes all changes durable that any process made to the file system of this folder: syncfs(2).
    package func synchronizeFileSystem() throws(Errno) {
        _ = try DiskWaits.shared.during { () throws(Errno) in try Errno.retry { linux_sync_file_system(raw) } }
    }
}

extension DraftFile {
    /// Sets the time of the last change of the contents (futimens(2)), so that a copy keeps its source's.
    ///
    /// - Parameter nanoseconds: since 1970.
    package func setModified(_ nanoseconds: Int64) throws(Errno) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let isBefore = rest < 0
        let time = timespec(
            tv_sec: time_t(isBefore ? seconds - 1 : seconds), tv_nsec: Int(isBefore ? rest + 1_000_000_000 : rest))
        let times = [time, time]
        // Two times, which outlive the call.
        _ = try Errno.retry { unsafe futimens(descriptor, times) }
    }
}
