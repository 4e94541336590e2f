package import DaemonSettings
import Glibc
import LinuxIO
import PhotoLibrary
import StickerPipeline
package import SystemPackage

/// Retries failed photos: requeues those in the inbox, and moves those in the folder of failed photos back into it.
package enum RetryRequest {
    /// The result of a request.
    package struct Outcome: Sendable {
        /// Photos that will be retried.
        package let photos: Int
        /// Names that cannot be retried, with the reason; one line each.
        package let refused: [String]
        /// Whether a running daemon was signaled.
        package let isUnderWay: Bool
        /// Whether a daemon is running that this user may not signal.
        package let needsReload: Bool
    }

    /// - Parameter names: of files, as on the command line; nil for all failed ones.
    /// - Throws: `LibraryError` if there is no writable Library.
    package static func send(_ names: [FilePath]?, settings: Settings) throws -> Outcome {
        var retry = try PhotoLibrary.requestRetry(
            in: settings.state, of: names?.map { settings.inboxName(of: $0) })
        var photos = retry.waiting
        let isInboxAway = PhotoLibrary.isInboxAway(settings.inbox, in: settings.state)
        for (from, path) in retry.toPutBack {
            if isInboxAway {
                retry.refused.append("\(path): cannot be moved back, because the inbox's disk is not mounted")
                continue
            }
            if let reason = settings.inboxRules.reasonToIgnore(path) {
                retry.refused.append("\(path): is not moved back to where it would be ignored: \(reason)")
                continue
            }
            do throws(Errno) {
                try putBack(from, as: path, in: settings.inbox)
                photos += 1
            } catch {
                let cure = error == .fileExists ? "; another file has its name in the inbox; rename that one" : ""
                retry.refused.append(
                    "\(path): cannot be moved back from \(InboxPath(bytes: from.bytes)): \(error)\(cure)")
            }
        }
        let (isSignaled, isRefused) = DaemonWaking.wake(retry.daemon)
        return Outcome(photos: photos, refused: retry.refused, isUnderWay: isSignaled, needsReload: isRefused)
    }

    /// Never replaces a file that has arrived meanwhile. Deletes the file with the reason once the photo is back.
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

/// Requeues photos whose stickers are to be remade.
package enum RemakeRequest {
    /// The result of a request.
    package struct Outcome: Sendable {
        /// Files that are pending now.
        package let files: Int
        /// How many photos are skipped, with the reason, such as `3 skipped: photo gone`; one for each reason.
        package let skipped: [String]
        /// Whether a running daemon was signaled; it also reloads its settings.
        package let isUnderWay: Bool
        /// Whether a daemon is running that this user may not signal.
        package let needsReload: Bool
    }

    /// Marks the stickers that were not made with the recipe of `settings`, or all, and wakes a running daemon.
    ///
    /// - Throws: `LibraryError` if there is no writable Library.
    package static func send(all: Bool, settings: Settings) throws -> Outcome {
        let recipe = all ? nil : try settings.recipe(settings.openModel()).identifier
        let remake = try PhotoLibrary.requestRemake(in: settings.state, otherThan: recipe, inbox: settings.inbox)
        let (isSignaled, isRefused) = DaemonWaking.wake(remake.daemon)
        return Outcome(
            files: remake.files, skipped: lines(remake.unavailable), isUnderWay: isSignaled, needsReload: isRefused)
    }

    private static func lines(_ unavailable: [PhotoLibrary.Remake.Unavailable: Int]) -> [String] {
        unavailable.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, count in
            "\(count) skipped: \(reason.rawValue)"
        }
    }
}

/// Removes stickers and photos' entries for good, or has removed stickers made again.
package enum RemovalRequest {
    /// The result of a request.
    package struct Outcome: Sendable {
        /// Stickers to remove.
        package let stickers: Int
        /// Photos without a sticker to remove, or photos to process again.
        package let photos: Int
        /// What happens later, or with the photo's return; one line each.
        package let postponed: [String]
        /// Names that were refused, with the reason; one line each.
        package let refused: [String]
        /// Whether a running daemon was signaled.
        package let isUnderWay: Bool
        /// Whether a daemon is running that this user may not signal.
        package let needsReload: Bool
    }

    /// - Parameter names: of stickers and photos, as on the command line.
    /// - Throws: `LibraryError` if there is no writable Library.
    package static func remove(_ names: [FilePath], settings: Settings) throws -> Outcome {
        outcome(
            try PhotoLibrary.requestRemoval(in: settings.state, of: names.map { settings.removalName(of: $0) }))
    }

    /// - Parameter names: of removed stickers, or of their photos, as on the command line.
    /// - Throws: as `remove`.
    package static func restore(_ names: [FilePath], settings: Settings) throws -> Outcome {
        outcome(
            try PhotoLibrary.requestRestoration(in: settings.state, of: names.map { settings.removalName(of: $0) }))
    }

    private static func outcome(_ removal: PhotoLibrary.Removal) -> Outcome {
        let (isSignaled, isRefused) = DaemonWaking.wake(removal.daemon)
        return Outcome(
            stickers: removal.stickers, photos: removal.photos, postponed: removal.postponed, refused: removal.refused,
            isUnderWay: isSignaled, needsReload: isRefused)
    }
}

/// Signals a running daemon to check the Library.
package enum DaemonWaking {
    /// A one-line message if the daemon cannot be signaled.
    package static let refusal =
        "cannot signal the running daemon (another user's, or in another container); run: systemctl reload stickerd"

    /// - Parameter process: nil if no daemon is running.
    /// - Returns: whether it was signaled, and whether a daemon is running that this process may not signal.
    static func wake(_ process: ProcessIdentity?) -> (isSignaled: Bool, isRefused: Bool) {
        guard let process else { return (false, false) }
        do {
            try process.signal(SIGUSR1)
            return (true, false)
        } catch {
            return (false, true)
        }
    }
}
