import LinuxIO
import Logging
import PhotoLibrary
import SystemPackage

/// What a scan concludes from files that it did not meet, and from those that it did.
extension Inbox {
    /// A file is gone from the file system on which it was: from a mount point without its mount nothing is.
    ///
    /// - Parameter devices: of the folder and of what was met in it (overlayfs gives files other numbers than folders);
    ///   none where the folder itself was not met.
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

    /// Of the nearest folder above that is there.
    private func deviceAbove(_ path: InboxPath) -> UInt64? {
        var path: InboxPath? = path
        while let folder = path, folder != .root {
            if let status = status(of: folder), status.kind == .folder { return status.identity.device }
            path = folder.folder
        }
        return place?.device
    }

    /// The missing files, but none where all are missing that should be there: then everything is looked at once more
    /// after a while, because network file systems and tools that copy folders show empty ones in between. What was
    /// deleted while somebody watched, events have told.
    func believed(_ missing: MissingFiles) -> [InboxPath] {
        guard missing.present == 0, !missing.gone.isEmpty else {
            emptySince = nil
            return missing.gone
        }
        guard let since = emptySince else {
            emptySince = .now
            logger.warning(
                "None of the photos is in the inbox any more; looking again before they count as removed",
                metadata: ["photos": "\(missing.gone.count)", "seconds": "\(Int(rules.emptySeconds))"])
            return []
        }
        guard since + .seconds(rules.emptySeconds) <= .now else { return [] }
        emptySince = nil
        return missing.gone
    }

    /// Where a scan meets a file that an event should have told of, events cannot be trusted here.
    func listen(for found: [Found]) throws {
        let unheard = found.filter { file in
            guard case .ready = file.arrival.verdict, file.arrival.identity.size > 0 else { return false }
            return !settling.contains(file.arrival.path)
        }
        guard !unheard.isEmpty else { return }
        // What the kernel has in its queue was told.
        try drain()
        coverage.wasDeaf = unheard.contains { file in
            let path = file.arrival.path
            return !changes.contains(path) && !settling.contains(path) && !writing.contains(path)
        }
    }

    /// Says how the inbox is watched where that has changed.
    func report() {
        guard coverage.isNews() else { return }
        if let gap = coverage.gap {
            logger.warning(
                coverage.isPolled ? "The inbox is polled" : "The inbox is read only now and then",
                metadata: ["reason": "\(gap)"])
        } else {
            logger.notice("The kernel tells of everything in the inbox; it is polled no longer")
        }
    }
}
