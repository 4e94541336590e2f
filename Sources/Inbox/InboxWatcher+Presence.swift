import Conditions
import FileNames
import LinuxIO
import Logging
import PhotoLibrary
import SystemPackage

/// Checks that the inbox exists and is the same folder: an unmounted inbox must not count as an empty one.
extension InboxWatcher {
    /// The most known files looked up to recognize the inbox under another device number.
    private static let maxFilesToRecognize = 64
    /// The most folders searched for a photo.
    private static let maxFoldersSearched = 1024

    /// Finds the inbox, and checks that it is the previous one or may replace it.
    ///
    /// - Throws: `InboxError` if not.
    func find() async throws {
        let now = try currentPlace()
        // The dot follows a symbolic link.
        if let status = try? FileStatus(of: folder.appending(".")), rules.ownFolders.name(of: status) != nil {
            throw InboxError(code: .own, folder: folder, cause: nil)
        }
        ownMounts = ownFolders.mounts(below: folder)
        try await recognize(now)
        place = now
        coverage.mode = rules.mode
        guard conditions.has(.inboxAway) else { return }
        conditions.end(.inboxAway)
        arrived()
    }

    /// Checks the inbox after a mount or an event about the inbox itself.
    ///
    /// - Throws: `InboxError` if it is gone.
    func checkPlace() async throws {
        // Events read so far are valid: they come from the watched folder, not from its path.
        let isEnded = news.mustCheckPlace
        if isEnded { try await recordChanges() }
        news.mustCheckPlace = false
        try requirePlace()
        // A new folder may reuse the inode number of a removed one, but does not have its watch.
        if isEnded { news.rescan = true }
    }

    /// - Throws: `InboxError` if the path no longer leads to the watched folder.
    func requirePlace() throws(InboxError) {
        guard try currentPlace() == place else { throw InboxError(code: .gone, folder: folder, cause: nil) }
    }

    /// Resets the state of an inbox that is gone, and records the condition.
    func leave(because error: InboxError) {
        unwatchAll()
        (writing, settling, changes, news) = ([], SettleQueue(), ChangeList(), InboxNews())
        (loggedFolders, halfRenames, departing) = ([], [], [])
        (place, isFirstReading, emptySince) = (nil, true, nil)
        let isKnown = conditions.reasons.contains("\(error)")
        conditions.begin(.inboxAway, because: "\(error)")
        if !isKnown { arrived() }
        conditions.isScanning = false
    }

    func unwatchAll() {
        for (_, watch) in watches.removeTree(.root) { inotify.unwatch(watch) }
        writing = []
    }

    private func currentPlace() throws(InboxError) -> DirectoryIdentity {
        do throws(Errno) {
            // The dot needs permission to search the folder: without it, none of its files can be seen.
            return try DirectoryIdentity(of: folder.appending("."))
        } catch {
            let isGone = error == .noSuchFileOrDirectory || error == .notDirectory
            throw InboxError(code: isGone ? .gone : .unreadable, folder: folder, cause: error)
        }
    }

    /// Decides whether a folder that is not the previous inbox may become the inbox. If it has known files, unchanged,
    /// it is the same folder on a disk whose device number changed. If it has only other photos, it replaces the inbox,
    /// and the files of the previous one do not count as removed. If it is empty, it is a mount point without its disk,
    /// which only the file system tells if the previous inbox has no known files, because all were moved away.
    private func recognize(_ now: DirectoryIdentity) async throws {
        let before = try await library.inboxPlace(at: folder)
        if now == before { return }
        if let before, now.isSame(as: before) {
            return try await library.recordInbox(now, at: folder, renumbered: [before.device], isAnother: false)
        }
        let known = try await library.knownFiles(limit: Self.maxFilesToRecognize)
        let returned = known.filter { path, identity in
            status(of: path)?.identity.on(device: identity.device) == identity
        }
        let isAnother = returned.isEmpty && !known.isEmpty
        let isElsewhere = before.map { now.fileSystem != 0 && !now.isOnSameFileSystem(as: $0) } ?? false
        if before != nil, isAnother || known.isEmpty && isElsewhere, try !holdsPhoto() {
            throw InboxError(code: .another, folder: folder, cause: nil)
        }
        try await library.recordInbox(
            now, at: folder, renumbered: Set(returned.values.map(\.device)), isAnother: isAnother)
        guard isAnother else { return }
        logger.notice("The inbox is a different folder; stickers from the previous one stay")
        // Most of its photos may be left to be decided.
        arrived()
    }

    private func holdsPhoto() throws(InboxError) -> Bool {
        var rest: [InboxPath] = [.root]
        var searched = 0
        while let path = rest.popLast(), searched < Self.maxFoldersSearched {
            searched += 1
            guard !isLeftOut(path), var scan = try open(path) else { continue }
            while let entry = next(of: &scan, path) {
                guard rules.reasonToIgnore(entry.name) == nil else { continue }
                if entry.kind == .regular { return true }
                if entry.kind == .folder, rules.recursive { rest.append(path.appending(entry.name)) }
            }
        }
        return false
    }
}

extension FileIdentity {
    fileprivate func on(device: UInt64) -> FileIdentity {
        FileIdentity(device: device, inode: inode, size: size, modified: modified, changed: changed)
    }
}
