import Conditions
import LinuxIO
import SystemPackage

/// The room that exports leave on the disk.
struct ExportRoom {
    /// On the exports' file system.
    let folder: FilePath
    /// `limits.minFreeBytes`.
    let minFreeBytes: Int

    /// - Throws: if less than `minFreeBytes` would remain.
    func require(_ bytes: Int) throws(ExportTrouble) {
        let free: Int
        do throws(Errno) {
            free = try FileSystemSpace.free(at: folder)
        } catch {
            throw .refused(folder, error)
        }
        guard free - bytes < minFreeBytes else { return }
        throw ExportTrouble(
            .refused(.noSpace),
            FileSystemSpace.shortage(at: folder, free: free, needed: bytes, minFreeBytes: minFreeBytes))
    }
}
