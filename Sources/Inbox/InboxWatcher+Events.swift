import FileNames
import LinuxIO
import Logging
import PhotoLibrary

/// Handles inotify events.
extension InboxWatcher {
    /// Events about the names in a folder.
    static let namesOnly: InotifyEvent.Mask = [.created, .movedIn, .movedAway, .deleted, .folderDeleted, .folderMoved]
    /// For changes of files, Linux marks every cached name of the folder: 65 ms for a million. Linux 6.18 does not do
    /// that for names only.
    static let allChanges: InotifyEvent.Mask = namesOnly.union([.attributesChanged, .modified, .closedAfterWriting])

    func handle(_ events: [InotifyEvent]) {
        for event in events {
            if event.mask.contains(.overflow) {
                logger.warning("The kernel dropped events; rescanning the inbox")
                // Close events may be among those dropped.
                writing = []
                halfRenames = []
                news.rescan = true
                continue
            }
            if event.mask.contains(.movedAway) { halfRenames.insert(event.cookie) }
            if event.mask.contains(.movedIn) { halfRenames.remove(event.cookie) }
            // Events of a removed watch may still be in the queue.
            guard let folder = watches.folder(of: event.watch) else { continue }
            if event.name.isEmpty {
                handle(event, aboutWatched: folder)
            } else if event.mask.contains(.isFolder) {
                handle(event, aboutFolder: folder.appending(event.name), name: event.name)
            } else if !AtomicFile.isTemporary(event.name) {
                handle(event, aboutFile: folder.appending(event.name))
            }
        }
    }

    private func handle(_ event: InotifyEvent, aboutWatched watched: InboxPath) {
        let ends: InotifyEvent.Mask = [.folderDeleted, .folderMoved, .unmounted, .watchEnded]
        // The parent's watch reports changes of subfolders by name, but not unmounts.
        if watched == .root, !event.mask.isDisjoint(with: ends) { news.mustCheckPlace = true }
        if event.mask.contains(.unmounted) { news.rescan = true }
        if event.mask.contains(.watchEnded) {
            watches.remove(event.watch)
            forgetWriting(in: watched)
        }
    }

    private func handle(_ event: InotifyEvent, aboutFolder path: InboxPath, name: [UInt8]) {
        let isNews: Bool
        if !event.mask.isDisjoint(with: [.movedAway, .deleted]) {
            dropTree(path)
            // Of two folders that exchange their names at once, the first may have been read and watched already.
            isNews = status(of: path)?.kind == .folder && (try? path.isAlias(in: folder)) != true
        } else {
            // An unreadable folder has no watch of its own, so only this event shows that it can now be read.
            isNews =
                !event.mask.isDisjoint(with: [.created, .movedIn])
                || event.mask.contains(.attributesChanged) && closed[path] != nil
        }
        guard rules.recursive, rules.reasonToIgnore(name) == nil else { return }
        if isNews {
            news.folders.append((path, event.mask.contains(.movedIn)))
        } else if event.mask.contains(.attributesChanged) {
            // Reports a folder that was closed: what events tell of its files cannot be seen.
            _ = try? open(path)
        }
    }

    private func handle(_ event: InotifyEvent, aboutFile path: InboxPath) {
        if !event.mask.isDisjoint(with: [.closedAfterWriting, .movedIn]) {
            writing.remove(path)
            settling.remove(path)
            // Some clients create a file, close it, and open it again to write. A rescan handles one that stays empty.
            if let status = status(of: path), !status.isEmptyFile { arrive(path, status) }
        } else if !event.mask.isDisjoint(with: [.movedAway, .deleted]) {
            writing.remove(path)
            settling.remove(path)
            // Of two files that exchange their names at once, the first has come before the second is said to go.
            if changes.contains(path), !isGone(path) { return }
            overtaken.insert(path)
            changes.append(gone: path)
        } else if event.mask.contains(.modified) {
            // The writer will close the file: CLOSE_WRITE follows, except after truncate(2), which opens nothing. A
            // rescan takes files that have long been unchanged.
            settling.remove(path)
            writing.insert(path)
        } else if event.mask.contains(.attributesChanged) {
            // Some programs copy first and set times and mode afterwards, which changes the identity.
            if !writing.contains(path), let status = status(of: path) { settle(path, status.identity) }
        } else if event.mask.contains(.created) {
            created(path)
        }
    }

    /// Some writer created the file and more events follow, or link(2) gave a complete file this name and none do.
    private func created(_ path: InboxPath) {
        guard let status = status(of: path) else { return }
        guard status.kind == .regular else { return arrive(path, status) }
        settle(path, status.identity)
    }

    /// Nil if the file is gone, which another event reports, or if a link leads to it.
    func status(of path: InboxPath) -> FileStatus? { try? path.status(in: folder) }

    private func arrive(_ path: InboxPath, _ status: FileStatus) {
        guard let verdict = verdict(on: path, status.kind) else { return }
        overtaken.insert(path)
        changes.append(Arrival(path: path, identity: status.identity, verdict: verdict))
    }

    /// Nil for folders.
    func verdict(on path: InboxPath, _ kind: FileKind) -> Arrival.Verdict? {
        if kind == .folder { return nil }
        if let reason = rules.reasonToIgnore(path.name) ?? InboxRules.reasonIfTooLong(path, in: folder) {
            return .ignored(reason: reason)
        }
        return kind == .regular
            ? .ready : .ignored(reason: "this is \(kind.rawValue), not a regular file", isNews: true)
    }

    /// Starts a file's settle time, unless the file is empty: events report its first bytes, and rescans take one that
    /// stays empty.
    func settle(_ path: InboxPath, _ identity: FileIdentity) {
        guard identity.size > 0 else { return }
        settling.add(path, identity, until: now + coverage.stillness(atLeast: rules.settleSeconds))
    }

    /// Takes settled files. A changed file settles again; one being written to waits for its close event or the next
    /// rescan.
    func settleDue() {
        for (path, identity) in settling.due(at: now) {
            guard let status = status(of: path) else { continue }
            if status.identity == identity {
                writing.remove(path)
                arrive(path, status)
            } else if !writing.contains(path) {
                settle(path, status.identity)
            }
        }
    }

    /// Stops expecting close events for files directly in this folder, whose watch is gone; rescans take them like any
    /// other.
    func forgetWriting(in folder: InboxPath) {
        writing = writing.filter { ($0.folder ?? .root) != folder }
    }

    /// Drops a folder that was moved or removed, and its watches: a watch follows its folder even out of the inbox.
    func dropTree(_ path: InboxPath) {
        let isGone = { (other: InboxPath) in other.isBelow(path) }
        writing = writing.filter { !isGone($0) }
        settling.removeAll(where: isGone)
        dropClosed { $0 == path || isGone($0) }
        news.goneFolders.insert(path)
        news.goneFolders.formUnion(unwatch(path))
    }

    /// Drops what is in folders that the rules ignore now, and has the Library forget their files.
    func adoptIgnoreRules(_ progress: @Sendable () -> Void = {}) async throws {
        let isIgnored = { @Sendable [rules] (path: InboxPath) in rules.reasonToIgnore(path) != nil }
        for folder in Array(watches.allFolders) where folder != .root && isIgnored(folder) { unwatch(folder) }
        settling.removeAll(where: isIgnored)
        writing = writing.filter { !isIgnored($0) }
        news.folders.removeAll { isIgnored($0.path) }
        watchDepartures(
            of: try await library.adoptIgnoreRules(rules.ignoreIdentity, isIgnored: isIgnored, progress: progress))
    }

    /// Removes the watches of a folder and of those below it. Returns these folders.
    @discardableResult
    func unwatch(_ path: InboxPath) -> [InboxPath] {
        watches.removeTree(path).map { folder, watch in
            inotify.unwatch(watch)
            return folder
        }
    }
}

extension FileStatus {
    /// Whether this is a regular file without bytes: its writer may not have begun yet.
    var isEmptyFile: Bool { kind == .regular && identity.size == 0 }
}
