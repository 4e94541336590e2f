import Conditions
import FileNames
import LinuxIO
import Logging
import SystemPackage

/// Opens folders, and reports those that cannot be read.
extension InboxWatcher {
    func open(_ path: InboxPath) throws(InboxError) -> DirectoryScan? {
        do throws(Errno) {
            let root = try OwnedDescriptor(opening: folder, options: .directory)
            guard path != .root else { return try DirectoryScan(of: root.raw) }
            let descriptor = try OwnedDescriptor(opening: path.bytes, beneath: root.raw, options: .directory)
            let scan = try DirectoryScan(of: descriptor.raw)
            if closed.removeValue(forKey: path) != nil { updateCondition() }
            return scan
        } catch {
            try report(unreadable: path, .unreadable, error)
            return nil
        }
    }

    func next(of scan: inout DirectoryScan, _ path: InboxPath) -> DirectoryScan.Entry? {
        do throws(Errno) {
            return try scan.next()
        } catch {
            logOnce("Cannot read a folder completely", path, ["reason": "\(error)"])
            return nil
        }
    }

    /// Throws if the folder is the inbox itself. Any other folder is named in the log and, until it can be read, in
    /// `stickerd status`; rescans retry it. Ignores a folder that is gone, which an event reports.
    func report(unreadable path: InboxPath, _ code: InboxError.Code, _ cause: Errno) throws(InboxError) {
        let isGone = cause == .noSuchFileOrDirectory || cause == .notDirectory
        guard path != .root else { throw InboxError(code: isGone ? .gone : code, folder: folder, cause: cause) }
        guard !isGone, closed.count < Self.maxUnreadable else { return }
        let reason = "\(cause); \(InboxError.fix(for: cause))"
        guard closed.updateValue(reason, forKey: path) == nil else { return }
        logger.warning(
            "Cannot read a folder; rescans retry it", metadata: ["folder": "\(path)", "reason": "\(reason)"])
        updateCondition()
    }

    /// Records that some folders are gone, or not read any more.
    func dropClosed(where isOver: (InboxPath) -> Bool) {
        guard !closed.isEmpty else { return }
        closed = closed.filter { !isOver($0.key) }
        updateCondition()
    }

    private func updateCondition() {
        guard let (path, reason) = closed.min(by: { $0.key < $1.key }) else { return conditions.end(.foldersClosed) }
        let others = closed.count > 1 ? " (and \(closed.count - 1) more)" : ""
        conditions.begin(.foldersClosed, because: "\(path)\(others): \(reason)", isLogged: false)
    }

    func logOnce(_ message: Logger.Message, _ path: InboxPath, _ details: Logger.Metadata) {
        guard loggedFolders.count < Self.maxUnreadable, loggedFolders.insert(path).inserted else { return }
        logger.warning(message, metadata: details.merging(["folder": "\(path)"]) { $1 })
    }
}
