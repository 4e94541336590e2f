import LinuxIO
import PhotoLibrary
import SystemPackage

/// A folder that photos are moved to. What is moved below a mount point without its disk is hidden when the disk
/// returns.
struct Receiver {
    let folder: FilePath
    /// Its key in the settings.
    let setting: String

    /// The most photos looked up to recognize the folder on another file system.
    private static let maxPhotos = 64

    /// Checks that the folder is on the file system that it was on before, or that it has most of the photos that were
    /// moved to it last.
    ///
    /// - Throws: `Away` if not.
    func recognize(in library: Library) async throws {
        let now: DirectoryIdentity
        let before = try await library.receiverPlace(at: folder)
        do throws(Errno) {
            now = try DirectoryIdentity(of: folder)
        } catch {
            guard before != nil, error == .noSuchFileOrDirectory || error == .notDirectory else { throw error }
            throw Away(receiver: self)
        }
        if now == before { return }
        if let before, !now.isOnSameFileSystem(as: before) {
            let moved = try await library.latestMoved(to: folder, limit: Self.maxPhotos)
            let found = moved.count { original in
                original.destination.flatMap { try? FileStatus(of: $0) }.map(original.hasContents(of:)) ?? false
            }
            guard found > 0, found * 2 >= moved.count else { throw Away(receiver: self) }
        }
        try await library.rememberReceiver(folder, at: now)
    }

    /// The disk of the folder is missing.
    struct Away: Error, CustomStringConvertible {
        let receiver: Receiver

        var description: String {
            """
            \(receiver.folder): missing, or not on the disk that photos were moved to before; mount that disk or restore the \
            folder, and work resumes; or name another folder in \(receiver.setting)
            """
        }
    }
}
