import Foundation
import Glibc
import Inbox
import LinuxIO
import PackFacts
import PhotoLibrary
import PhotoRule
import Processing
import Systemd
package import SystemPackage

extension Settings {
    /// Creates missing folders, and checks the daemon's access to them: to read the inbox, to write the inbox if photos
    /// are moved out of it, and to write the others. If a folder fails, those created before it stay.
    ///
    /// - Parameter isService: whether systemd may have hidden or protected the folders.
    package func prepareFolders(isService: Bool = ServiceNotifier.isService) throws(SettingsError) {
        var problems: [SettingsProblem] = []
        for folder in folders {
            if folder.name == "inbox", isInboxKnown { continue }
            if folder.name == "outbox", isOutboxKnown { continue }
            if folder.name.hasPrefix("originals."), isDiskMissing(of: folder.path) { continue }
            if isService, let point = ServiceFolders.hiding(folder.path) {
                let reason = "is hidden by the unit's ProtectHome= (\(point) is empty for the service); "
                problems.append(problem(folder, reason + ServiceFolders.cure("BindPaths", folder.path)))
                continue
            }
            do {
                try makeFolder(folder)
                let mode = R_OK | X_OK | (isOnlyRead(folder) ? 0 : W_OK)
                // The string is alive for the call; access(2) keeps nothing.
                guard unsafe access(folder.path.string, mode) == 0 else { throw Errno(rawValue: errno) }
            } catch {
                let action = isOnlyRead(folder) ? "read" : "written"
                let isProtected = isService && error as? Errno == .readOnlyFileSystem
                let cure = isProtected ? "; " + ServiceFolders.cure("ReadWritePaths", folder.path) : ""
                problems.append(problem(folder, "cannot be created or \(action): \(error)\(cure)"))
            }
        }
        guard problems.isEmpty else { throw SettingsError(problems: problems) }
    }

    /// Whether the daemon has used this inbox before, but cannot now: its disk may not be mounted yet, and the daemon
    /// waits for it. A folder created in its place would be another one, and a mount point that belongs to root is no
    /// error in the settings.
    private var isInboxKnown: Bool {
        Library.isInboxAway(inbox, in: state)
            || !isUsable(inbox, R_OK | X_OK) && Library.hasInbox(at: inbox, in: state)
    }

    /// The same for the outbox.
    private var isOutboxKnown: Bool {
        !isUsable(outbox, R_OK | X_OK | W_OK) && Library.hasUsedOutbox(resolvedOutbox.string, in: state)
    }

    /// Whether a folder for photos was on another file system than its nearest existing parent is now: then its disk is
    /// not mounted, and the daemon waits for it.
    private func isDiskMissing(of folder: FilePath) -> Bool {
        guard let before = Library.receiverPlace(at: folder, in: state),
            let now = try? DirectoryIdentity(of: nearestExisting(folder))
        else { return false }
        return !now.isOnSameFileSystem(as: before)
    }

    /// Problems that do not depend on the daemon's user: nested folders, or something else in a folder's place.
    var folderProblems: [SettingsProblem] {
        let resolved = folders.map { (folder: $0, path: resolve($0.path)) }
        let misplaced = resolved.compactMap { folder, path in
            // XFS refuses stat(2) after an error of its disk: that is no error in the settings.
            let kind = (try? nearestExisting(path).stat().type) ?? .directory
            return kind == .directory ? nil : problem(folder, "is not a folder, or is below a file")
        }
        // Stickers must not enter the inbox as photos, and the published outbox must not contain the Library.
        var pairs = [(1, 0), (0, 1), (2, 0), (2, 1)]
        for place in resolved.indices.dropFirst(3) {
            // Allowed inside the state folder, like the inbox.
            pairs += [(place, 0), (0, place), (place, 1), (1, place), (2, place)]
            pairs += resolved.indices.dropFirst(3).filter { $0 != place }.map { (place, $0) }
        }
        let nested: [SettingsProblem] = pairs.compactMap { innerPlace, outerPlace in
            let (inner, outer) = (resolved[innerPlace], resolved[outerPlace])
            guard inner.path.starts(with: outer.path) || isMounted(inner.path, inside: outer.path) else { return nil }
            let isSame = inner.path == outer.path || isSameFolder(inner.path, outer.path)
            // The same folder is found in both orders; report it once.
            if isSame, innerPlace < outerPlace, innerPlace != 2 { return nil }
            let place = isSame ? "is the same folder as" : "lies inside"
            return problem(inner.folder, "\(place) \(outer.folder.name) \(outer.folder.path.string.quoted)")
        }
        return misplaced + nested
    }

    /// The metrics file must not replace one of another purpose, nor be taken for a photo or published.
    var metricsProblems: [SettingsProblem] {
        guard let metricsFile else { return [] }
        let path = resolve(metricsFile.removingLastComponent())
        let around = [("inbox", resolvedInbox), ("outbox", resolvedOutbox)].first { path.starts(with: $1) }?.0
        let file: Folder = ("metrics.file", metricsFile)
        if metricsFile.extension != "prom" { return [problem(file, "must end in .prom: node_exporter reads no other")] }
        return around.map { [problem(file, "lies inside \($0)")] } ?? []
    }

    /// The outbox with symbolic links resolved, so that equal folders have equal paths.
    package var resolvedOutbox: FilePath { resolve(outbox) }

    /// Whether files in this folder would become stickers.
    package func isInInbox(_ folder: FilePath) -> Bool { resolve(folder).starts(with: resolvedInbox) }

    /// The inbox with symbolic links resolved.
    var resolvedInbox: FilePath { resolve(inbox) }

    private typealias Folder = (name: String, path: FilePath)

    /// Inbox, outbox and state, then the folders for originals that are used.
    private var folders: [Folder] {
        let forArchived: [Folder] = processing.originals == .archive ? [("originals.archive", archive)] : []
        let forFailed: [Folder] = processing.originals == .keep ? [] : [("originals.failed", failed)]
        return [("inbox", inbox), ("outbox", outbox), ("state", state)] + forArchived + forFailed
    }

    /// Makes a folder if it is missing. Those for archived and failed photos are then closed to all but the group, even
    /// if they existed before, unless that is not possible there.
    private func makeFolder(_ folder: Folder) throws(Errno) {
        let isPrivate = folder.name.hasPrefix("originals.")
        let mode = isPrivate ? PrivateFolder.withoutGroupBit : FolderTree.openMode
        let isMade = try FolderTree.make(at: folder.path, mode: mode)
        guard isPrivate else { return }
        do throws(Errno) {
            let open = try OwnedDescriptor(opening: folder.path, options: .directory)
            try PrivateFolder.restrict(open.raw)
        } catch {
            if isMade { throw error }
        }
    }

    /// The folders for archived and failed photos that are used.
    var privateFolders: [FilePath] { folders.filter { $0.name.hasPrefix("originals.") }.map(\.path) }

    /// The folders that the daemon uses, by their settings' names, whether it writes to them, and whether its start
    /// makes those that are missing.
    package var usedFolders: [(name: String, path: FilePath, isWritten: Bool, isMade: Bool)] {
        let metrics = metricsFile.map { [("metrics.file", $0.removingLastComponent(), true, false)] } ?? []
        return folders.map { ($0.name, $0.path, !isOnlyRead($0), true) } + metrics
    }

    /// All folders but the inbox.
    var ownFolders: [OwnFolder] { folders.dropFirst().map { OwnFolder(name: $0.name, path: $0.path) } }

    private func isOnlyRead(_ folder: Folder) -> Bool { folder.name == "inbox" && processing.originals == .keep }

    private func problem(_ folder: Folder, _ reason: String) -> SettingsProblem {
        let source = sources[folder.name] ?? .builtIn
        return .init(key: folder.name, source: source, reason: "\(folder.name) \(folder.path.string.quoted) \(reason)")
    }
}

extension FilePath {
    /// Where it leads to: every symbolic link and `..` is resolved, also those to a disk that is not mounted.
    package var target: FilePath { resolve(self) }
}

/// The kernel's limit on symbolic links, path_resolution(7).
private let maxLinks = 40

/// The path with every symbolic link and `..` resolved, up to its first missing component.
private func resolve(_ path: FilePath, links: Int = 0) -> FilePath {
    if let resolved = path.resolved { return resolved }
    guard let name = path.lastComponent else { return path }
    let folder = resolve(path.removingLastComponent(), links: links)
    // A link to a folder on a disk has the same target while the disk is not mounted.
    if links < maxLinks, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path.string) {
        return resolve(folder.pushing(FilePath(target)), links: links + 1)
    }
    return folder.appending(name).lexicallyNormalized()
}

private func nearestExisting(_ path: FilePath) -> FilePath {
    var path = path
    // The string is alive for the call.
    while unsafe access(path.string, F_OK) != 0, path.removeLastComponent() {}
    return path
}

/// Whether a mount makes two paths lead to one folder.
private func isSameFolder(_ path: FilePath, _ other: FilePath) -> Bool {
    // Both are resolved: a link is another kind of file.
    guard let first = try? FileStatus(of: path), let second = try? FileStatus(of: other) else { return false }
    return first.identity.node == second.identity.node
}

/// Whether a mount makes `outer` one of the folders that lead to `inner`, or `inner` itself.
private func isMounted(_ inner: FilePath, inside outer: FilePath) -> Bool {
    var path = inner
    repeat { if isSameFolder(path, outer) { return true } } while path.removeLastComponent()
    return false
}

private func isUsable(_ path: FilePath, _ mode: Int32) -> Bool {
    guard FolderTree.isFolder(path) else { return false }
    // The string is alive for the call.
    return unsafe access(path.string, mode) == 0
}
