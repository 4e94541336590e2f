import FileNames
import LinuxIO
import Logging
import PhotoLibrary

/// Conclusions from known files that a scan did not find, and from new files that events did not report.
extension InboxWatcher {
    /// A missing file counts as gone only if its file system is mounted: unmounting a disk removes no files.
    ///
    /// - Parameter devices: the devices of the folder and of the files found in it (overlayfs numbers files and folders
    ///   differently); empty if the folder itself was not found.
    func missingFiles(
        of known: [InboxPath: FileIdentity], in path: InboxPath, devices: Set<UInt64>
    ) throws -> MissingFiles {
        guard !known.isEmpty else { return MissingFiles() }
        let devices = devices.isEmpty ? Set([deviceAbove(path)].compactMap(\.self)) : devices
        var missing = MissingFiles()
        for (count, file) in known.enumerated() where devices.contains(file.value.device) {
            if count.isMultiple(of: Self.stride) { try drain() }
            if isGone(file.key) { missing.gone.append(file.key) }
        }
        return missing
    }

    /// The device of the nearest existing folder.
    private func deviceAbove(_ path: InboxPath) -> UInt64? {
        var path: InboxPath? = path
        while let folder = path, folder != .root {
            if let status = status(of: folder), status.kind == .folder { return status.identity.device }
            path = folder.folder
        }
        return place?.device
    }

    /// The files that count as gone. If all files are missing, a later scan must confirm it: network file systems and
    /// tools that replace folders show an empty one for a moment. Events report files deleted while watched.
    func confirmed(_ missing: MissingFiles) -> [InboxPath] {
        guard missing.present == 0, !missing.gone.isEmpty else {
            emptySince = nil
            return missing.gone
        }
        guard let since = emptySince else {
            emptySince = now
            logger.warning(
                "All photos are missing from the inbox; checking again before they count as removed",
                metadata: ["photos": "\(missing.gone.count)", "seconds": "\(Int(rules.emptySeconds))"])
            return []
        }
        guard since + .seconds(rules.emptySeconds) <= now else { return [] }
        emptySince = nil
        return missing.gone
    }

    /// Checks whether a scan found a file that inotify missed.
    func checkCoverage(_ found: [Found]) async throws {
        // The kernel's queue may still hold their events.
        if found.contains(where: isUnreported) { try drain() }
        coverage.noteScan(missedFile: try await isAnyWritten(found.filter(isUnreported)))
    }

    /// link(2) changes a file without an event about the names that it had, also if the new one is outside the inbox.
    private func isAnyWritten(_ files: [Found]) async throws -> Bool {
        for (folder, files) in Dictionary(grouping: files.map(\.arrival), by: \.path.folder) {
            let known = try await known(in: folder)
            let areUnwritten = files.allSatisfy { file in
                known[file.path].map(file.identity.seemsUnwritten) ?? false
            }
            if !areUnwritten { return true }
        }
        return false
    }

    private func isUnreported(_ file: Found) -> Bool {
        guard case .ready = file.arrival.verdict, file.arrival.identity.size > 0 else { return false }
        let path = file.arrival.path
        return !overtaken.contains(path) && !settling.contains(path) && !writing.contains(path)
    }

    /// Logs how the inbox is watched if that has changed.
    func report() {
        guard coverage.takeChange() else { return }
        if let gap = coverage.gap {
            logger.warning(
                coverage.isPolled
                    ? "Polling the inbox"
                    : "inotify does not cover the whole inbox; rescans find the other changes",
                metadata: ["reason": "\(gap)"])
        } else {
            logger.notice("inotify covers the whole inbox; polling stopped")
        }
    }
}

/// Known files that a scan did not find.
struct MissingFiles {
    /// Missing, although the file system that held them is mounted.
    var gone: [InboxPath] = []
    /// How many known files were found.
    var present = 0

    mutating func add(_ other: MissingFiles) {
        gone += other.gone
        present += other.present
    }
}
