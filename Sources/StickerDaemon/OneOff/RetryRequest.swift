import LinuxIO
import PhotoLibrary
package import SystemPackage

/// Retries failed photos: those in the inbox return to the queue, those in the folder of failed photos to the inbox.
package enum RetryRequest {
    /// The result of a request.
    package struct Outcome: Sendable {
        /// Photos that will be retried.
        package let photos: Int
        /// Names that cannot be retried, and why; one line each.
        package let refused: [String]
        /// Whether a running daemon was signaled.
        package let isUnderWay: Bool
        /// A daemon is running that this user may not signal.
        package let needsReload: Bool
    }

    /// - Parameter names: of files, as on the command line; nil for all failed ones.
    /// - Throws: `LibraryError` if there is no writable Library.
    package static func send(_ names: [FilePath]?, settings: Settings) throws -> Outcome {
        var retry = try PhotoLibrary.requestRetry(
            in: settings.state, of: names?.map { settings.inboxName(of: $0) })
        var photos = retry.waiting
        for (from, path) in retry.toPutBack {
            do throws(Errno) {
                try putBack(from, as: path, in: settings.inbox)
                photos += 1
            } catch {
                retry.refused.append("\(path): cannot be put back from \(from): \(error)")
            }
        }
        let (isSignaled, isRefused) = DaemonWaking.wake(retry.daemon)
        return Outcome(photos: photos, refused: retry.refused, isUnderWay: isSignaled, needsReload: isRefused)
    }

    /// Never overwrites a file that has arrived meanwhile. Deletes the reason once the photo is back.
    private static func putBack(_ from: FilePath, as path: InboxPath, in inbox: FilePath) throws(Errno) {
        let folder = from.removingLastComponent()
        let move = FileMove(
            from: try OwnedDescriptor(opening: folder, options: .directory),
            FilePath(root: nil, from.components.suffix(1)).bytes,
            to: try FolderTree.make(path.folder?.bytes ?? [], below: inbox), path.name)
        guard try move.run(isExpected: { $0.kind == .regular }) else { throw .noSuchFileOrDirectory }
        if let name = from.lastComponent?.string { try AtomicFile.remove("\(name).reason.txt", in: folder) }
    }
}
