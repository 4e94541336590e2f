#if canImport(Glibc)
import Glibc
#endif
import SystemPackage

extension Settings {
    /// Makes the folders that are missing, and checks that the daemon may use them: the inbox is read, outbox and state
    /// are written. Folders made before another one fails stay.
    package func prepareFolders() throws(SettingsError) {
        var problems: [SettingsProblem] = []
        for folder in folders {
            do {
                try makeFolder(folder.path)
                let mode = R_OK | X_OK | (folder.name == "inbox" ? 0 : W_OK)
                // The string is alive for the call; access(2) keeps nothing.
                guard unsafe access(folder.path.string, mode) == 0 else { throw Errno(rawValue: errno) }
            } catch {
                let action = folder.name == "inbox" ? "read" : "written"
                problems.append(problem(folder, "cannot be made or \(action): \(error)"))
            }
        }
        guard problems.isEmpty else { throw SettingsError(problems: problems) }
    }

    /// What is wrong with the folders whoever runs the daemon: one inside the other, or something else in their place.
    var folderProblems: [SettingsProblem] {
        let resolved = folders.map { (folder: $0, path: resolve($0.path)) }
        let misplaced = resolved.compactMap { folder, path in
            isFolder(nearestExisting(path)) ? nil : problem(folder, "is not a folder, or lies in a file")
        }
        // What lands in the inbox must not come back as a photo, and what is published must not hold the memory.
        let pairs = [(1, 0), (0, 1), (2, 0), (2, 1)]
        let nested: [SettingsProblem] = pairs.compactMap { inner, outer in
            let (inner, outer) = (resolved[inner], resolved[outer])
            guard inner.path.starts(with: outer.path) else { return nil }
            let isSame = inner.path == outer.path
            // The same folder is found in both orders; once is enough.
            if isSame, inner.folder.name == "inbox" { return nil }
            let place = isSame ? "is the same folder as" : "lies inside"
            return problem(inner.folder, "\(place) \(outer.folder.name) \(outer.folder.path.string.quoted)")
        }
        return misplaced + nested
    }

    /// The outbox with every symbolic link followed: the same folder has the same path, whatever it was called.
    var resolvedOutbox: FilePath { resolve(outbox) }

    private typealias Folder = (name: String, path: FilePath)

    private var folders: [Folder] { [("inbox", inbox), ("outbox", outbox), ("state", state)] }

    private func problem(_ folder: Folder, _ reason: String) -> SettingsProblem {
        let source = sources[folder.name] ?? .builtIn
        return .init(key: folder.name, source: source, reason: "\(folder.name) \(folder.path.string.quoted) \(reason)")
    }
}

/// The path with every symbolic link and `..` followed, as far as it exists.
private func resolve(_ path: FilePath) -> FilePath {
    // The string is alive for the call, and the result is ours to free; realpath(3).
    if let resolved = unsafe realpath(path.string, nil) {
        defer { unsafe free(resolved) }
        return unsafe FilePath(platformString: resolved)
    }
    guard let name = path.lastComponent else { return path }
    return resolve(path.removingLastComponent()).appending(name).lexicallyNormalized()
}

private func nearestExisting(_ path: FilePath) -> FilePath {
    var path = path
    // The string is alive for the call.
    while unsafe access(path.string, F_OK) != 0, path.removeLastComponent() {}
    return path
}

private func isFolder(_ path: FilePath) -> Bool {
    var status = stat()
    // Both arguments are alive for the call.
    return unsafe stat(path.string, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// mkdir(2) with the folders above it.
private func makeFolder(_ path: FilePath) throws(Errno) {
    if isFolder(path) { return }
    // The string is alive for the call.
    if unsafe mkdir(path.string, 0o777) == 0 { return }
    let error = Errno(rawValue: errno)
    // Somebody else may have made it meanwhile.
    if error == .fileExists, isFolder(path) { return }
    var parent = path
    guard error == .noSuchFileOrDirectory, parent.removeLastComponent(), !isFolder(parent) else { throw error }
    try makeFolder(parent)
    try makeFolder(path)
}
