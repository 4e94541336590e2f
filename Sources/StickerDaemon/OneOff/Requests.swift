package import DaemonSettings
import FileNames
import Glibc
import Inbox
import LibraryCommands
import LinuxIO
import PhotoLibrary
import Processing
package import SystemPackage

/// What becomes of a command that changes the Library for the daemon.
package struct RequestOutcome: Sendable {
    /// What will happen, for a person; one line each.
    package let lines: [String]
    /// Names that were refused, with the reason; and that a running daemon could not be told. One line each.
    package let complaints: [String]

    fileprivate init(_ lines: [String], refused: [String] = [], _ waking: DaemonWaking) {
        self.lines = lines
        complaints = refused + (waking == .refused ? [DaemonWaking.refusal] : [])
    }
}

/// Retries failed photos: requeues those in the inbox, and moves those in the folder of failed photos back into it.
package enum RetryRequest {
    /// - Parameter names: of files, as on the command line; nil for all failed ones.
    /// - Throws: `LibraryError` if there is no writable Library.
    package static func send(_ names: [FilePath]?, settings: Settings) throws -> RequestOutcome {
        var retry = try Library.requestRetry(in: settings.state, of: names?.map { settings.inboxName(of: $0) })
        let isInboxAway = Library.isInboxAway(settings.inbox, in: settings.state)
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
                retry.photos += 1
            } catch {
                let cure = error == .fileExists ? "; another file has its name in the inbox; rename that one" : ""
                retry.refused.append(
                    "\(path): cannot be moved back from \(InboxPath(bytes: from.bytes)): \(error)\(cure)")
            }
        }
        let waking = try DaemonWaking(settings.state)
        return RequestOutcome(
            ["\(counted(retry.photos, "photo")) will be retried\(waking.when)"], refused: retry.refused, waking)
    }

    /// Never replaces a file that has arrived meanwhile: if its name is taken, the photo keeps that which it has,
    /// because several failed photos may have had one name. Deletes the file with the reason first: as soon as the
    /// photo is back, a daemon may move it to its name here again, which is free only without that file.
    private static func putBack(_ from: FilePath, as path: InboxPath, in inbox: FilePath) throws(Errno) {
        let folder = from.removingLastComponent()
        let present = FilePath(root: nil, from.components.suffix(1)).bytes
        let parent = inbox.appending(bytes: path.folder?.bytes ?? [])
        let free = [path.name, present].first { !OwnedDescriptor.exists(parent.appending(bytes: $0)) }
        guard let free else { throw .fileExists }
        let move = FileMove(
            from: try OwnedDescriptor(opening: folder, options: .directory), present,
            to: try FolderTree.make(path.folder?.bytes ?? [], below: inbox), free)
        try AtomicFile.remove(Originals.reasonName(beside: from), in: folder)
        guard try move.run(isExpected: { $0.kind == .regular }) else { throw .noSuchFileOrDirectory }
    }
}

/// Requeues photos whose stickers are to be remade.
package enum RemakeRequest {
    /// Marks the stickers that were not made with the recipe of `settings`, or all, and wakes a running daemon, which
    /// also reloads its settings.
    ///
    /// - Throws: `LibraryError` if there is no writable Library.
    package static func send(all: Bool, settings: Settings) throws -> RequestOutcome {
        let recipe = all ? nil : try settings.recipe(settings.openModel()).identifier
        let remake = try Library.requestRemake(in: settings.state, otherThan: recipe, inbox: settings.inbox)
        let waking = try DaemonWaking(settings.state)
        let skipped = remake.notes.isEmpty ? "" : " (\(remake.notes.joined(separator: "; ")))"
        let photos = counted(remake.photos, "photo") + skipped
        return RequestOutcome(
            [
                waking == .signaled
                    ? "Remaking the stickers of \(photos)" : "The next start remakes the stickers of \(photos)"
            ], waking)
    }
}

/// Removes stickers and photos' entries for good, or has removed stickers made again.
package enum RemovalRequest {
    /// - Parameter names: of stickers and photos, as on the command line.
    /// - Throws: `LibraryError` if there is no writable Library.
    package static func remove(_ names: [FilePath], settings: Settings) throws -> RequestOutcome {
        let removal = try Library.requestRemoval(
            in: settings.state, of: names.map { settings.removalName(of: $0) })
        let stickers = removal.photos > 0 && removal.stickers == 0 ? [] : [counted(removal.stickers, "sticker")]
        let photos = removal.photos == 0 ? [] : ["\(counted(removal.photos, "photo")) without a sticker"]
        return try outcome(removal, settings, "\((stickers + photos).joined(separator: " and ")) will be removed")
    }

    /// - Parameter names: of removed stickers, or of their photos, as on the command line.
    /// - Throws: as `remove`.
    package static func restore(_ names: [FilePath], settings: Settings) throws -> RequestOutcome {
        let removal = try Library.requestRestoration(
            in: settings.state, of: names.map { settings.removalName(of: $0) })
        return try outcome(removal, settings, "\(counted(removal.photos, "photo")) will be processed again")
    }

    private static func outcome(
        _ removal: Library.Answer, _ settings: Settings, _ sum: String
    ) throws -> RequestOutcome {
        let waking = try DaemonWaking(settings.state)
        let isEmpty = removal.stickers + removal.photos == 0
        return RequestOutcome((isEmpty ? [] : [sum + waking.when]) + removal.notes, refused: removal.refused, waking)
    }
}

/// Whether a running daemon was told to check the Library.
enum DaemonWaking {
    case signaled
    /// No daemon is running, or it has only just begun to start.
    case needless
    /// A daemon is running that this process may not signal.
    case refused

    /// A one-line message if the daemon cannot be signaled.
    static let refusal =
        "cannot signal the running daemon (another user's, or in another container); run: systemctl reload stickerd"

    /// Signals the daemon.
    init(_ state: FilePath) throws {
        let daemon = try DaemonStatus.read(of: state)
        guard daemon.isRunning, try Library.lockText(in: state)?.isEmpty == false else {
            self = .needless
            return
        }
        self = (try? daemon.status?.identity?.signal(SIGUSR1)) == nil ? .refused : .signaled
    }

    /// When the request is carried out, after the sentence that says what it does.
    fileprivate var when: String { self == .signaled ? "" : " at the next start" }
}

/// `1 photo`, `2 photos`.
func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
