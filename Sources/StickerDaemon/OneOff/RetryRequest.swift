import LinuxIO
import PhotoLibrary
package import SystemPackage

/// Has photos tried again that failed: those in the inbox go back to the queue, those that were set aside into the inbox.
package enum RetryRequest {
    /// What came of a request.
    package struct Outcome: Sendable {
        /// Photos that are tried again.
        package let photos: Int
        /// Names that nothing can be tried with, and why; one line each.
        package let refused: [String]
        /// Whether a running daemon was told.
        package let isUnderWay: Bool
        /// A daemon is running that this user may not tell.
        package let needsReload: Bool
    }

    /// - Parameter names: of files, as on the command line; nil for all that failed.
    /// - Throws: `LibraryError` where there is no Library that can be written.
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
        let (isTold, isRefused) = DaemonWaking.tell(retry.daemon)
        return Outcome(photos: photos, refused: retry.refused, isUnderWay: isTold, needsReload: isRefused)
    }

    /// Never over a file that has come in meanwhile. The reason goes, once the photo is back.
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
