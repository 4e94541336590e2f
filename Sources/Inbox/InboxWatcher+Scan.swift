import FileNames
import LinuxIO
import Logging
import PhotoLibrary
import SystemPackage

/// Reads folders: at the start, when a folder is new, when events were lost, and periodically.
extension InboxWatcher {
    /// Watches the names in the inbox and in its subfolders with known files. The first scan finds and watches the
    /// other subfolders; finding them here would mean reading the whole inbox before the start is complete.
    func watchKnown(_ progress: () -> Void) async throws {
        try watch(.root, for: Self.namesOnly)
        guard rules.recursive else { return }
        for case let path? in try await library.knownFolders() {
            progress()
            // Opening follows no link; a watch could follow one above the folder.
            if !isLeftOut(path), try open(path) != nil { try watch(path, for: Self.namesOnly) }
        }
    }

    /// Watches the folders of `watchKnown` for all changes, before the first scan reads any of them: a file that is
    /// written earlier settles as if its close event had been lost, even if it is still open.
    func watchChanges() throws(InboxError) {
        for folder in Array(watches.allFolders) { try watch(folder) }
    }

    /// Reads the whole inbox. New files precede those that events reported meanwhile. Missing files count as gone only
    /// after everything was read, and only if the inbox is still the same folder.
    ///
    /// - Parameter eventsCoverAll: whether events should have reported every change.
    /// - Returns: whether anything changed.
    func readAll(eventsCoverAll: Bool) async throws -> Bool {
        let watchesBefore = watches
        overtaken = []
        // So that the first folder's known files include these.
        try await keepUp()
        (coverage.silent, coverage.refused) = (nil, nil)
        ownMounts = ownFolders.mounts(below: folder)
        var rest: [InboxPath] = [.root]
        var seen: Set<InboxPath> = []
        var found: [Found] = []
        var missing = MissingFiles()
        var count = 0
        while !Task.isCancelled, let path = rest.popLast() {
            if isLeftOut(path) { continue }
            // Watch first, so that events report what arrives while it is read.
            try watch(path)
            let content = try await read(path, isComplete: false)
            if try isLeftOutNow(path) { continue }
            seen.insert(path)
            rest += content.folders
            found += content.files
            missing.add(content.missing)
            count += content.files.count
            try await keepUp()
            if found.count + overtaken.count >= Self.maxSorted {
                changes.prepend(sorted(found))
                (found, overtaken) = ([], [])
                try await recordChanges()
            }
        }
        // Skip folders that were not watched, or that a mount replaced: their events went nowhere.
        if eventsCoverAll {
            try await checkCoverage(
                found.filter { file in
                    let folder = file.arrival.path.folder ?? .root
                    return watches.watch(of: folder).map { $0 == watchesBefore.watch(of: folder) } ?? false
                })
        }
        changes.prepend(sorted(found))
        guard !Task.isCancelled else { return false }
        for path in watches.allFolders where !seen.contains(path) {
            for folder in unwatch(path) { forgetWriting(in: folder) }
        }
        dropClosed { !seen.contains($0) }
        for path in try await library.knownFolders() where !seen.contains(path ?? .root) {
            missing.add(try missingFiles(of: try await known(in: path), in: path ?? .root, devices: []))
            try drain()
        }
        try requirePlace()
        let gone = confirmed(missing)
        append(gone: gone)
        return count + gone.count > 0
    }

    /// Reads new folders, and looks for the files of removed ones.
    func readNews() async throws {
        while !Task.isCancelled, !news.folders.isEmpty {
            let folders = news.folders
            news.folders = []
            // A folder above a mount may have been renamed.
            ownMounts = ownFolders.mounts(below: folder)
            for (path, isComplete) in folders where !isLeftOut(path) {
                overtaken = []
                try watch(path)
                let content = try await read(path, isComplete: isComplete)
                if try isLeftOutNow(path) { continue }
                for arrival in sorted(content.files) { changes.append(arrival) }
                append(gone: content.missing.gone)
                news.folders += content.folders.map { ($0, isComplete) }
                try await keepUp()
            }
        }
        let goneFolders = news.goneFolders
        news.goneFolders = []
        for path in goneFolders {
            let known = try await known(in: path)
            for (count, path) in known.keys.enumerated() {
                if count.isMultiple(of: Self.stride) { try drain() }
                if isGone(path) { changes.append(gone: path) }
            }
        }
    }

    /// Appends files that a reading did not find, except those that events have reported since: they may be back.
    private func append(gone paths: [InboxPath]) {
        for path in paths where !changes.contains(path) { changes.append(gone: path) }
    }

    /// Records what events have reported meanwhile: a photo must not wait until all of another user's folders are read.
    private func keepUp() async throws {
        settleDue()
        if !changes.isEmpty { try await recordChanges() }
    }

    /// The settled files in the order of a backlog: by age, then name. The others begin to settle in that order. Files
    /// that have changed since they were found are left out.
    private func sorted(_ found: [Found]) -> [Arrival] {
        let found = found.filter { !overtaken.contains($0.arrival.path) }.sorted { a, b in
            (a.arrival.identity.modified, a.arrival.path) < (b.arrival.identity.modified, b.arrival.path)
        }
        for file in found where !file.isSettled {
            let identity = file.arrival.identity
            settling.add(
                file.arrival.path, identity,
                until: now
                    + coverage.stillness(
                        atLeast: file.isBeingWritten ? rules.abandonedSeconds : rules.settleSeconds,
                        isEmpty: identity.size == 0))
        }
        return found.filter(\.isSettled).map(\.arrival)
    }

    /// A new or changed file.
    struct Found {
        let arrival: Arrival
        /// Whether the file need not settle.
        let isSettled: Bool
        /// Whether the file was written to and has not been closed.
        let isBeingWritten: Bool
    }

    /// Reads one folder: its new or changed files, its subfolders, and the known files that are missing.
    private func read(
        _ path: InboxPath, isComplete: Bool
    ) async throws -> (files: [Found], folders: [InboxPath], missing: MissingFiles) {
        // Query before reading the folder, so that a file recorded meanwhile does not count as missing.
        await beforeCall(.known)
        var known = try await library.knownFolder(path == .root ? nil : path)
        // Only the first reading compares with the wall clock, which may jump or differ from the file server's.
        let quietSince = isFirstReading ? WallClock.now - Int64(rules.settleSeconds * 1e9) : .min
        var files: [Found] = []
        var folders: [InboxPath] = []
        var count = 0
        guard var scan = try open(path) else { return ([], [], MissingFiles()) }
        // Thousands of small folders take as long as one large one: read events between them, too.
        try drain()
        var devices = try checkFileSystem(of: scan.folder, path)
        var device: UInt64?
        while let entry = next(of: &scan, path) {
            count += 1
            if count.isMultiple(of: Self.stride) {
                try drain()
                try await keepUp()
            }
            if entry.kind == .folder {
                if rules.recursive, rules.reasonToIgnore(entry.name) == nil {
                    folders.append(path.appending(entry.name))
                }
                continue
            }
            let status = AtomicFile.isTemporary(entry.name) ? nil : try? scan.status()
            let isUnchanged = known.find(entry.name, status?.identity)
            guard let status else { continue }
            if status.identity.device != device { devices.insert(status.identity.device) }
            device = status.identity.device
            let isForbidden = !known.forbidden.isEmpty && known.forbidden.contains(path.appending(entry.name))
            // Most files of a rescan end here.
            if isUnchanged, !isForbidden || !scan.isReadable { continue }
            let file = path.appending(entry.name)
            let isBeingWritten = writing.contains(file)
            guard let verdict = verdict(on: file, status.kind) else { continue }
            files.append(
                Found(
                    arrival: Arrival(path: file, identity: status.identity, verdict: verdict),
                    isSettled: verdict != .ready
                        || !isBeingWritten && !status.isEmptyFile
                            && (isComplete || coverage.silent == nil && status.identity.changed <= quietSince),
                    isBeingWritten: isBeingWritten))
        }
        let unfound = known.missing
        var rest = unfound[...]
        var missing = MissingFiles()
        while !rest.isEmpty {
            await beforeCall(.known)
            let part = try await library.known(rest.prefix(Self.batch))
            missing.add(try missingFiles(of: part, in: path, devices: devices))
            rest = rest.dropFirst(Self.batch)
        }
        missing.present = known.count - unfound.count
        return (files, folders, missing)
    }

    /// The files recorded directly in one folder (nil: the inbox's root).
    func known(in folder: InboxPath?) async throws -> [InboxPath: FileIdentity] {
        await beforeCall(.known)
        return try await library.known(inFolder: folder)
    }

    var ownFolders: [OwnFolder] { rules.ownFolders + [OwnFolder(name: "inbox", path: folder)] }

    /// Whether a folder is not read: it is too deep, or a mount shows a folder there that stickerd writes to, one
    /// inside it, or the inbox itself. Logs it once.
    func isLeftOut(_ path: InboxPath) -> Bool {
        guard path != .root else { return false }
        if let reason = InboxRules.reasonToLeaveOut(path, of: folder) {
            logOnce("Ignoring a folder inside the inbox", path, ["reason": "\(reason)"])
            return true
        }
        guard let name = ownMounts[path] ?? status(of: path).flatMap({ ownFolders.name(of: $0) }) else { return false }
        logOnce(
            "Ignoring a folder inside the inbox: a mount shows a folder of the settings there", path,
            ["setting": "\(name)"])
        return true
    }

    /// The same after a folder was read: a mount that appeared meanwhile may have shown other files.
    private func isLeftOutNow(_ path: InboxPath) throws -> Bool {
        try drain()
        guard inotify.haveMountsChanged else { return false }
        ownMounts = ownFolders.mounts(below: folder)
        return isLeftOut(path)
    }

    /// Records the type of an open folder's file system, and returns its device.
    private func checkFileSystem(of descriptor: Int32, _ path: InboxPath) throws(InboxError) -> Set<UInt64> {
        do throws(Errno) {
            if let name = try FileSystemKind(ofDescriptor: descriptor).nameIfSilent { coverage.silent = name }
            return [try FileStatus(ofDescriptor: descriptor).identity.device]
        } catch {
            try report(unreadable: path, .unreadable, error)
            return []
        }
    }

    /// Returns whether the file is not in the inbox any more, has another letter case now, or is ignored.
    func isGone(_ path: InboxPath) -> Bool {
        rules.reasonToIgnore(path) != nil || path.isGone(from: folder) || (try? path.isAlias(in: folder)) == true
    }

    private func watch(_ path: InboxPath, for changes: InotifyEvent.Mask = allChanges) throws(InboxError) {
        guard rules.mode != .polling else { return }
        do throws(Errno) {
            // The inbox itself may be a symbolic link, which a watch does not follow.
            let place = path == .root ? folder.appending(".") : folder.appending(bytes: path.bytes)
            let watch = try inotify.watch(place, for: changes)
            if watches.watch(of: path) != watch { forgetWriting(in: path) }
            watches.insert(path, watch)
        } catch .noSpace {
            coverage.refused = .noSpace
        } catch {
            if error.isShortage { coverage.refused = error } else { try report(unreadable: path, .unreadable, error) }
        }
    }
}
