import LinuxIO
import Logging
import PhotoLibrary
import SystemPackage

/// Reading folders: at the start, when a folder is new, when events were lost, and now and then.
extension Inbox {
    /// Watches every folder without looking at files.
    func watchAll() throws {
        var rest: [InboxPath] = [.root]
        while let path = rest.popLast() {
            try watch(path)
            guard rules.recursive, var scan = try open(path) else { continue }
            while let entry = next(of: &scan, path) {
                if entry.kind == .folder, rules.reasonToIgnore(entry.name) == nil {
                    rest.append(path.appending(entry.name))
                }
            }
        }
    }

    /// Reads the inbox from end to end; what is new there comes before what events told meanwhile.
    func readAll() async throws {
        let judgesKnown = news.rulesChanged
        news.rulesChanged = false
        var rest: [InboxPath] = [.root]
        var seen: Set<InboxPath> = []
        var found: [Found] = []
        while !Task.isCancelled, let path = rest.popLast() {
            // Watched first: what comes while it is read is told by an event.
            try watch(path)
            let content = try await read(path, isComplete: false, judgesKnown: judgesKnown)
            seen.insert(path)
            rest += content.folders
            found += content.files
            if found.count >= Self.maxSorted {
                changes.prepend(sorted(found))
                found = []
                try await tell()
            }
        }
        changes.prepend(sorted(found))
        guard !Task.isCancelled else { return }
        for path in watches.allFolders where !seen.contains(path) { dropTree(path) }
    }

    /// Looks into what events said about folders.
    func readNews() async throws {
        while !Task.isCancelled, !news.folders.isEmpty {
            let folders = news.folders
            news.folders = []
            for (path, isComplete) in folders {
                try watch(path)
                let content = try await read(path, isComplete: isComplete, judgesKnown: false)
                for arrival in sorted(content.files) { changes.append(arrival) }
                news.folders += content.folders.map { ($0, isComplete) }
            }
        }
        let goneFolders = news.goneFolders
        news.goneFolders = []
        for path in goneFolders {
            let known = try await library.known(inFolder: path)
            for path in known.keys where isGone(path) { changes.append(gone: path) }
        }
    }

    /// The files that are still, in a backlog's order: age, then name. The others begin to settle in that order.
    private func sorted(_ found: [Found]) -> [Arrival] {
        let found = found.sorted { a, b in
            (a.arrival.identity.modified, a.arrival.path) < (b.arrival.identity.modified, b.arrival.path)
        }
        for file in found where !file.isStill { settle(file.arrival.path, file.arrival.identity) }
        return found.filter(\.isStill).map(\.arrival)
    }

    /// A file that the Library does not know as it is now.
    private struct Found {
        let arrival: Arrival
        /// Nothing about it has changed for a while, or nothing will.
        let isStill: Bool
    }

    /// The subfolders of one folder, and its files that are news. Known files that are no longer there are told at
    /// once.
    private func read(
        _ path: InboxPath, isComplete: Bool, judgesKnown: Bool
    ) async throws -> (files: [Found], folders: [InboxPath]) {
        // Asked before the folder is read: what is recorded after this cannot be missed as gone.
        var known = try await library.known(inFolder: path == .root ? nil : path)
        let quietSince = WallClock.now - Int64(rules.settleSeconds * 1e9)
        var files: [Found] = []
        var folders: [InboxPath] = []
        var count = 0
        guard var scan = try open(path) else { return ([], []) }
        while let entry = next(of: &scan, path) {
            count += 1
            if count.isMultiple(of: Self.stride) { try drain() }
            let file = path.appending(entry.name)
            if entry.kind == .folder {
                if rules.recursive, rules.reasonToIgnore(entry.name) == nil { folders.append(file) }
                continue
            }
            let before = known.removeValue(forKey: file)
            guard !AtomicFile.isTemporary(entry.name), !writing.contains(file),
                let status = try? FileStatus(of: entry.name, in: scan.folder),
                before != status.identity || judgesKnown,
                let verdict = verdict(on: entry.name, status.kind)
            else { continue }
            files.append(
                Found(
                    arrival: Arrival(path: file, identity: status.identity, verdict: verdict),
                    isStill: isComplete || status.kind != .regular || status.identity.changed <= quietSince))
        }
        for file in known.keys where isGone(file) { changes.append(gone: file) }
        return (files, folders)
    }

    /// A file that cannot be asked about is not gone.
    private func isGone(_ path: InboxPath) -> Bool {
        do throws(Errno) {
            _ = try FileStatus(of: folder.appending(bytes: path.bytes))
            return false
        } catch {
            return error == .noSuchFileOrDirectory || error == .notDirectory
        }
    }

    private func watch(_ path: InboxPath) throws(InboxError) {
        do throws(Errno) {
            watches.insert(path, try inotify.watch(folder.appending(bytes: path.bytes), for: Self.watched))
        } catch {
            try complain(about: path, .unwatchable, error)
        }
    }

    private func open(_ path: InboxPath) throws(InboxError) -> DirectoryScan? {
        do throws(Errno) {
            let root = try OwnedDescriptor(opening: folder, options: .directory)
            guard path != .root else { return try DirectoryScan(of: root.raw) }
            let descriptor = try OwnedDescriptor(opening: path.bytes, beneath: root.raw, options: .directory)
            return try DirectoryScan(of: descriptor.raw)
        } catch {
            try complain(about: path, .unreadable, error)
            return nil
        }
    }

    private func next(of scan: inout DirectoryScan, _ path: InboxPath) -> DirectoryScan.Entry? {
        do throws(Errno) {
            return try scan.next()
        } catch {
            logger.warning("Cannot read a folder to its end", metadata: ["folder": "\(path)", "reason": "\(error)"])
            return nil
        }
    }

    /// Without the inbox itself there is nothing to do; a subfolder is named once and tried again at every rescan. One
    /// that is gone is no trouble: an event tells.
    private func complain(about path: InboxPath, _ code: InboxError.Code, _ cause: Errno) throws(InboxError) {
        let isGone = cause == .noSuchFileOrDirectory || cause == .notDirectory
        guard path != .root else { throw InboxError(code: isGone ? .gone : code, folder: folder, cause: cause) }
        guard !isGone, troubled.insert(path).inserted else { return }
        logger.warning(
            "Cannot watch a folder, reading it only now and then",
            metadata: ["folder": "\(path)", "reason": "\(cause); \(InboxError.cure(for: cause))"])
    }
}
