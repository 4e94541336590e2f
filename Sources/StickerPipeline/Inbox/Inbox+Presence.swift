import LinuxIO
import Logging
import PhotoLibrary
import SystemPackage
import Systemd

/// Whether the inbox is there, and the right folder: an unmounted one is not taken for an empty one.
extension Inbox {
    /// So many files are looked for in a folder that may be the inbox under another number.
    private static let witnesses = 64
    /// Folders in which a first photo is looked for.
    private static let maxFoldersSearched = 1024

    /// Finds the inbox, and makes sure that it is the one of before, or may take its place.
    ///
    /// - Throws: `InboxError` where it is not.
    func find() async throws {
        let now = try currentPlace()
        try await recognize(now)
        place = now
        coverage.mode = rules.mode
        guard conditions.has(.inboxAway) else { return }
        conditions.end(.inboxAway)
        arrived()
    }

    /// Something was mounted somewhere, or happened to the inbox itself.
    ///
    /// - Throws: `InboxError` where it is not there any more.
    func doubt() async throws {
        // What events told before is true: they come from the folder, not from its path.
        let isEnded = news.placeInDoubt
        if isEnded { try await tell() }
        news.placeInDoubt = false
        try requirePlace()
        // The number of a folder that was removed may be the next one's, and its watch is gone.
        if isEnded { news.rescan = true }
    }

    /// - Throws: `InboxError` where the path does not lead to the folder any more that is watched.
    func requirePlace() throws(InboxError) {
        guard try currentPlace() == place else { throw InboxError(code: .gone, folder: folder, cause: nil) }
    }

    /// Forgets everything that was true of the inbox only.
    func leave(because error: InboxError) async throws {
        unwatchAll()
        (writing, settling, changes, news) = ([], SettleQueue(), ChangeList(), InboxNews())
        (troubled, halfRenames) = ([], [])
        (place, isFirstReading, emptySince) = (nil, true, nil)
        let wasThere = !conditions.has(.inboxAway)
        let isKnown = conditions.reasons.contains("\(error)")
        conditions.begin(.inboxAway, because: "\(error)")
        if !isKnown { arrived() }
        if wasThere { try await library.setScanning(false) }
    }

    func unwatchAll() {
        for (_, watch) in watches.removeTree(.root) { inotify.unwatch(watch) }
        writing = []
    }

    private func currentPlace() throws(InboxError) -> FolderPlace {
        do throws(Errno) {
            return try FolderPlace(of: folder)
        } catch {
            let isGone = error == .noSuchFileOrDirectory || error == .notDirectory
            throw InboxError(code: isGone ? .gone : .unreadable, folder: folder, cause: error)
        }
    }

    /// Another folder than before is the inbox all the same where files lie in it as they were: its disk came back under
    /// another number. Where only other photos lie in it, somebody wants it to be the inbox; what is not in it was in
    /// the other one. Where there is nothing it is a mount point without its mount.
    private func recognize(_ now: FolderPlace) async throws {
        let before = try await library.inboxPlace(at: folder)
        if now == before { return }
        if let before, now.isSame(as: before) {
            return try await library.adopt(now, at: folder, renumbered: [before.device], isAnother: false)
        }
        let known = try await library.knownFiles(limit: Self.witnesses)
        let returned = known.filter { path, identity in
            status(of: path)?.identity.on(device: identity.device) == identity
        }
        let isAnother = returned.isEmpty && !known.isEmpty
        if isAnother, before != nil, try !holdsPhoto() {
            throw InboxError(code: .another, folder: folder, cause: nil)
        }
        try await library.adopt(
            now, at: folder, renumbered: Set(returned.values.map(\.device)), isAnother: isAnother)
        if isAnother { logger.notice("The inbox is another folder than before; stickers made from that one stay") }
    }

    private func holdsPhoto() throws(InboxError) -> Bool {
        var rest: [InboxPath] = [.root]
        var searched = 0
        while let path = rest.popLast(), searched < Self.maxFoldersSearched {
            searched += 1
            guard var scan = try open(path) else { continue }
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
