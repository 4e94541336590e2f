import LinuxIO
import PackExports
import PhotoLibrary
import SystemPackage

/// Makes a folder have exactly the files of an export's plan, besides those of others. Writes only what differs, in the
/// plan's order, and each file atomically.
struct ExportWriter {
    /// What a folder's files cost.
    struct Summary: Equatable {
        /// Files written or linked.
        var written = 0
        /// Their bytes, without those of hard links.
        var bytes = 0
        var removed = 0
    }

    private let folder: ExportFolder
    private let room: ExportRoom
    private let isStopping: () -> Bool

    /// - Parameters:
    ///   - folder: the export's.
    ///   - room: to be left for others.
    ///   - isStopping: called before each file.
    init(folder: ExportFolder, room: ExportRoom, isStopping: @escaping () -> Bool) {
        self.folder = folder
        self.room = room
        self.isStopping = isStopping
    }

    private struct Step {
        let path: ExportPath
        let contents: ExportFile.Contents
    }

    /// - Parameters:
    ///   - plan: what to write.
    ///   - store: has all pictures of the plan.
    /// - Throws: with kind `.occupied`, before anything is written, if another program's file is in the way.
    func write(_ plan: ExportPlan, from store: PictureStore) throws(ExportTrouble) -> Summary {
        var list = try FileList(in: folder)
        let (steps, paths) = try differences(from: plan, store, list)
        try list.add(steps.map(\.path))
        var summary = Summary()
        var unsynced: [ExportFolder] = []
        for step in steps {
            if isStopping() { throw .stopped }
            let place = try self.place(of: step.path)
            switch step.contents {
            case .picture(let picture):
                summary.bytes += try link(picture, as: step.path.name, in: place, store)
                if !unsynced.contains(where: { $0.path == place.path }) { unsynced.append(place) }
            case .bytes, .zip, .tarGz:
                // What lists pictures must not survive a power failure that they do not.
                for folder in unsynced { try folder.synchronize() }
                unsynced = []
                summary.bytes += try write(step.contents, as: step.path.name, in: place, store)
            }
            summary.written += 1
        }
        for folder in unsynced { try folder.synchronize() }
        summary.removed = try remove(list.paths.subtracting(paths))
        try list.replace(with: paths)
        return summary
    }

    /// Removes all files of the list, then the list.
    func removeAll() throws(ExportTrouble) -> Summary {
        var list = try FileList(in: folder)
        let removed = try remove(list.paths)
        try list.replace(with: [])
        return Summary(removed: removed)
    }

    /// Removes all listed files except these pictures.
    func removeAll(except pictures: KeptPictures) throws(ExportTrouble) -> Summary {
        var list = try FileList(in: folder)
        var kept: Set<ExportPath> = []
        for path in list.paths {
            if isStopping() { throw .stopped }
            // Nothing of ours is in a folder that something else has replaced.
            guard let status = (try? existingPlace(of: path)?.status(of: path.name)) ?? nil else { continue }
            if status.kind == .regular, pictures.contain(status.identity) { kept.insert(path) }
        }
        let removed = try remove(list.paths.subtracting(kept))
        try list.replace(with: kept)
        return Summary(removed: removed)
    }

    // MARK: What differs

    private func differences(
        from plan: ExportPlan, _ store: PictureStore, _ list: FileList
    ) throws(ExportTrouble) -> (steps: [Step], paths: Set<ExportPath>) {
        var steps: [Step] = []
        var paths: Set<ExportPath> = []
        for file in plan.files {
            if isStopping() { throw .stopped }
            guard let path = ExportPath(file.path), paths.insert(path).inserted else {
                throw ExportTrouble(.invalid, "\(folder.path): cannot have a file named \(file.path.debugDescription)")
            }
            let place = try existingPlace(of: path)
            guard let place, let status = try place.status(of: path.name) else {
                steps.append(Step(path: path, contents: file.contents))
                continue
            }
            if try isRight(status, path.name, in: place, file.contents, store) { continue }
            guard status.kind == .regular, list.paths.contains(path) else {
                throw .occupied(place.path.appending(path.name))
            }
            steps.append(Step(path: path, contents: file.contents))
        }
        return (steps, paths)
    }

    private func isRight(
        _ status: FileStatus, _ name: String, in place: ExportFolder, _ contents: ExportFile.Contents,
        _ store: PictureStore
    ) throws(ExportTrouble) -> Bool {
        guard status.kind == .regular else { return false }
        switch contents {
        case .picture(let picture):
            guard let stored = store.stored[picture] else { return false }
            let (file, source) = (status.identity, stored.identity)
            if file.device == source.device, file.inode == source.inode { return true }
            guard file.size == source.size else { return false }
            if file.modified == source.modified { return true }
            let known = try place.contents(of: name, upTo: Int(file.size))
            return try known == store.contents(of: picture)
        case .bytes(let bytes):
            guard status.identity.size == bytes.count else { return false }
            return try place.contents(of: name, upTo: bytes.count) == bytes
        case .zip(let entries): return try isRight(.zip, entries, name, in: place, store)
        case .tarGz(let entries): return try isRight(.tarGz, entries, name, in: place, store)
        }
    }

    private func isRight(
        _ format: ExportArchive.Format, _ entries: [ExportEntry], _ name: String, in place: ExportFolder,
        _ store: PictureStore
    ) throws(ExportTrouble) -> Bool {
        try place.naming(name) { () throws(Errno) in
            try ExportArchive(format, entries, store).isWritten(to: try place.open(name))
        }
    }

    // MARK: Writing

    /// Returns the number of bytes written: 0 for a hard link.
    private func link(
        _ picture: ExportPicture, as name: String, in place: ExportFolder, _ store: PictureStore
    ) throws(ExportTrouble) -> Int {
        guard let stored = store.stored[picture] else { throw .refused(store.folder.path, .noSuchFileOrDirectory) }
        return try place.naming(name) { () throws(Errno) in
            do throws(Errno) {
                try store.folder.descriptor.link(
                    Array(stored.name.utf8), as: Array(name.utf8), in: place.descriptor)
                return 0
            } catch {
                guard OwnedDescriptor.linkRefusals.contains(error) else { throw error }
            }
            let draft = try place.draft()
            try draft.write(from: try store.folder.open(stored.name), 0..<Int(stored.identity.size))
            try draft.setModified(stored.identity.modified)
            try draft.publish(as: name)
            return Int(stored.identity.size)
        }
    }

    private func write(
        _ contents: ExportFile.Contents, as name: String, in place: ExportFolder, _ store: PictureStore
    ) throws(ExportTrouble) -> Int {
        switch contents {
        case .picture: return 0
        case .bytes(let bytes):
            try place.write(bytes, named: name)
            return bytes.count
        case .zip(let entries): return try write(.zip, entries, as: name, in: place, store)
        case .tarGz(let entries): return try write(.tarGz, entries, as: name, in: place, store)
        }
    }

    private func write(
        _ format: ExportArchive.Format, _ entries: [ExportEntry], as name: String, in place: ExportFolder,
        _ store: PictureStore
    ) throws(ExportTrouble) -> Int {
        let archive = try place.naming(name) { () throws(Errno) in try ExportArchive(format, entries, store) }
        try room.require(archive.entries.reduce(0) { $0 + $1.size(in: store) })
        let draft = try place.naming(name) { () throws(Errno) in try place.draft() }
        try archive.write(to: draft, at: place.path.appending(name), store, isStopping: isStopping)
        let size = try place.naming(name) { () throws(Errno) in try draft.status().identity.size }
        do throws(Errno) {
            try draft.publish(as: name)
        } catch {
            throw .refused(place.path.appending(name), error)
        }
        return Int(size)
    }

    // MARK: Folders

    private func place(of path: ExportPath) throws(ExportTrouble) -> ExportFolder {
        var place = folder
        for name in path.folders { place = try place.madeFolder(name) }
        return place
    }

    /// nil if a folder of the path is missing.
    private func existingPlace(of path: ExportPath) throws(ExportTrouble) -> ExportFolder? {
        var place = folder
        for name in path.folders {
            guard let next = try place.folder(name) else { return nil }
            place = next
        }
        return place
    }

    /// Removes files, and the folders that they leave empty. Returns how many there were.
    private func remove(_ paths: Set<ExportPath>) throws(ExportTrouble) -> Int {
        var removed = 0
        // One folder is open at a time: a catalog has one for each sticker.
        for files in Dictionary(grouping: paths, by: { $0.folders.map { ExactName($0) } }).values {
            guard let first = files.first else { continue }
            let place: ExportFolder?
            do throws(ExportTrouble) {
                place = try existingPlace(of: first)
            } catch {
                // Something else has replaced the folder: then nothing of ours is in it.
                guard error.kind == .occupied else { throw error }
                continue
            }
            if let place {
                var count = 0
                for file in files {
                    if isStopping() { throw .stopped }
                    if try place.remove(file.name) { count += 1 }
                }
                if count > 0 { try place.synchronize() }
                removed += count
            }
            try removeEmptyFolders(of: first)
        }
        return removed
    }

    private func removeEmptyFolders(of path: ExportPath) throws(ExportTrouble) {
        var folders = path.folders[...]
        while let name = folders.popLast() {
            var parent: ExportFolder? = folder
            for step in folders { parent = try? parent?.folder(step) }
            guard let parent else { continue }
            try parent.naming(name) { () throws(Errno) in _ = try parent.descriptor.removeEmptyFolder(Array(name.utf8))
            }
        }
    }
}
