import DaemonSettings
import Glibc
import Inbox
import LinuxIO
import PhotoLibrary
import SystemPackage

/// One folder of the settings: whether the daemon can use it, and what its file system can do.
struct FolderFacts: Sendable {
    /// What the daemon sees at the folder's path.
    enum View: Sendable, Equatable {
        /// What everyone sees.
        case same
        /// Something else: the unit hides the folder.
        case hidden
        /// The unit forbids writing.
        case readOnly
    }

    /// The setting's.
    let name: String
    let path: FilePath
    /// The same without symbolic links, which some of the commands in cures do not follow.
    let target: FilePath
    /// The folder that the service sees there, like `target`: another one if the unit binds that.
    let host: FilePath
    let isWritten: Bool
    /// Whether the daemon makes it if it is missing.
    var isMade = true
    var view: View?
    /// Whether the daemon used another folder at this path before: a mount point whose disk is not mounted has other
    /// faults than the folder on it.
    var isAway = false
    /// The daemon's.
    var access = Account.Access.unknown
    /// The first folder above that the daemon's user cannot enter.
    var barrier: FilePath?
    /// Whether that, or else the folder, belongs to the daemon's user.
    var isOwned = false
    var fileSystem: String?
    /// `FileSystemKind.nameIfSilent`.
    var silentName: String?
    var freeBytes: Int?

    init(name: String, path: FilePath, host: FilePath? = nil, isWritten: Bool) {
        (self.name, self.path, target, self.isWritten) = (name, path, path.target, isWritten)
        self.host = host?.target ?? target
    }

    /// - Parameter daemon: its process, if this process may examine it.
    static func gather(_ settings: Settings, _ account: Account, daemon: Int32?, _ unit: UnitFacts?) -> [FolderFacts] {
        let own = MountTable()
        let theirs = daemon.flatMap { try? MountTable(ofProcess: $0) }
        return settings.usedFolders.map { name, path, isWritten, isMade in
            let host = unit?.source(of: path) ?? path
            var folder = FolderFacts(name: name, path: path, host: host, isWritten: isWritten)
            folder.isMade = isMade && (try? FileStatus(of: host))?.kind != .link
            folder.view = theirs.flatMap { view(of: path, host, own, $0) } ?? unit?.view(of: path)
            folder.access = account.access(to: host, R_OK | X_OK | (isWritten ? W_OK : 0))
            if folder.access == .refused(.permissionDenied) {
                folder.barrier = barrier(to: host, account) ?? barrier(to: folder.host, account)
                folder.isOwned = account.owns(folder.barrier ?? host)
            }
            folder.isAway = host == path && isAway(name, path, settings)
            let mount = own.fileSystem(of: host)
            folder.fileSystem = mount?.type
            if isWritten, folder.access == .allowed, mount?.isReadOnly == true {
                folder.access = .refused(.readOnlyFileSystem)
            }
            if folder.access == .allowed {
                // XFS refuses no access(2) after an error of its disk.
                do throws(Errno) { _ = try host.stat() } catch { folder.access = .refused(error) }
            }
            folder.silentName = (try? FileSystemKind(of: host))?.nameIfSilent
            folder.freeBytes = try? FileSystemSpace.free(at: host)
            return folder
        }
    }

    /// Nil if the path or the folder that it should show is missing here.
    static func view(of path: FilePath, _ host: FilePath, _ own: MountTable, _ theirs: MountTable) -> View? {
        guard let place = own.place(of: host), let shown = theirs.place(of: path) else { return nil }
        guard place.isInside(shown), shown.isInside(place) else { return .hidden }
        let isProtected =
            theirs.fileSystem(of: path)?.isReadOnly == true && own.fileSystem(of: host)?.isReadOnly != true
        return isProtected ? .readOnly : .same
    }

    private static func isAway(_ name: String, _ path: FilePath, _ settings: Settings) -> Bool {
        // A missing one is reported as that.
        guard (try? DirectoryIdentity(of: path)) != nil else { return false }
        if name == "inbox" { return Library.isInboxAway(path, in: settings.state) }
        return name == "outbox" && !OwnedDescriptor.exists(path.appending(OutboxMarker.fileName))
            && Library.hasUsedOutbox(settings.resolvedOutbox.string, in: settings.state)
    }

    static func barrier(to path: FilePath, _ account: Account) -> FilePath? {
        var (above, barrier) = (path, FilePath?.none)
        while above.removeLastComponent() { if account.access(to: above, X_OK) != .allowed { barrier = above } }
        return barrier
    }

    /// - Parameter isNew: whether the daemon never started, which makes the folders.
    func findings(_ settings: Settings, user: String, isNew: Bool = false) -> [Finding] {
        let word = Ownership.shellWord(host.string)
        var faults: [Finding] = []
        func fault(_ text: String, _ cure: String) { faults.append(.fault(name, "\(path) \(text)", cure: cure)) }
        switch access {
        case .refused(.permissionDenied) where isAway, _ where isAway && (view == .hidden || view == .readOnly):
            fault("is not the folder that stickerd used before", "mount its disk: sudo mount -a; see findmnt")
        case _ where view == .hidden:
            fault("is hidden from the service by its unit", ServiceFolders.cure("BindPaths", target))
        case _ where view == .readOnly && isWritten:
            fault(
                "is not writable for the service: its unit protects it", ServiceFolders.cure("ReadWritePaths", target))
        case .refused(.noSuchFileOrDirectory) where isNew && isMade:
            return [.note(name, "\(path): none yet; the first start makes it")]
        case .refused(.noSuchFileOrDirectory):
            let create =
                Self.installed.contains(host)
                ? "systemd-tmpfiles --create stickerd.conf" : "install -d -o \(user) \(word)"
            fault("is missing", "mount its disk, or create it: sudo \(create)")
        case .refused(.readOnlyFileSystem):
            fault(
                "is on a disk that is mounted read-only",
                """
                see why with sudo dmesg, and run: sudo mount -o remount,rw $(findmnt -no TARGET -T \(word)); after an \
                error, stop stickerd, unmount the disk, and check it with fsck first
                """)
        case .refused(.permissionDenied):
            let text =
                barrier.map { "cannot be reached: the user \(user) may not enter \($0)" }
                ?? "cannot be used: the user \(user) may not \(isWritten ? "write to" : "read") it"
            // Other programs' files are beside that of the metrics.
            let isDeep = barrier == nil && name != "metrics.file"
            let rights = barrier != nil ? "x" : !isDeep ? "rwx" : isWritten ? "rwX" : "rX"
            fault(
                text,
                "run: " + Account.granting(rights, to: user, isOwner: isOwned, isDeep: isDeep, barrier ?? host))
        case .refused(let error):
            let cure = error == .ioError ? "see what sudo dmesg says about its disk" : "look at it: ls -ld \(word)"
            fault("cannot be used: \(error)", cure)
        case .unknown where fileSystem == nil:
            return [.hidden(name, "\(path): this user cannot see it")]
        case .allowed, .unknown: break
        }
        if name == "inbox", let silentName, settings.inboxRules.mode == .inotify {
            fault(
                "is on \(silentName), which reports no changes made elsewhere, and watch.mode is \"inotify\"",
                "set watch.mode to \"auto\", and run: sudo systemctl reload stickerd")
        }
        if let freeBytes, ["outbox", "state"].contains(name), freeBytes < settings.minFreeBytes {
            fault(
                "has \(freeBytes.mebibytes) free; limits.minFreeBytes requires \(settings.minFreeBytes.mebibytes)",
                "make room on its disk (sudo du -xhd1 \(word)), or lower limits.minFreeBytes")
        }
        return faults.isEmpty ? [.ok(name, summary(settings, user))] : faults
    }

    /// The folders that `systemd/tmpfiles.d` makes, with the rights of group members.
    private static let installed = ["inbox", "outbox", "archive", "failed"].map { FilePath("/var/lib/stickerd/\($0)") }

    private func summary(_ settings: Settings, _ user: String) -> String {
        var parts = ["\(path): \(fileSystem ?? "unknown file system")"]
        if let freeBytes { parts.append("\(freeBytes.mebibytes) free") }
        if access == .allowed { parts.append("\(user) may \(isWritten ? "write" : "read") it") }
        if name == "inbox" {
            let isPolled = settings.inboxRules.mode == .polling || silentName != nil
            parts.append(isPolled ? "changes are found by polling" : "changes are reported at once")
        }
        return parts.joined(separator: ", ")
    }
}
