import FileNames
import LinuxIO
import PackExports
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
        /// The bytes of all files, by their paths.
        var sizes: [String: Int] = [:]
        /// Whether the reason why the export was withheld is among the removed files.
        var isReleased = false
    }

    /// The most files written before one sync, and the bytes of archives with which no other is added: until then, the
    /// old ones are on the disk, too.
    private static let batch = (files: 32, bytes: 32 << 20)

    /// The export's.
    let folder: OpenFolder
    /// The Library's knowledge of it; nil if it has none.
    let rows: ExportLedger.Rows?
    let room: ExportRoom
    /// Called before each file.
    let isStopping: () -> Bool

    /// - Parameter store: has all pictures of the plan.
    /// - Throws: with kind `.occupied`, before anything is written, if another program's file is in the way.
    func write(_ plan: ExportPlan, from store: PictureStore) async throws(ExportTrouble) -> Summary {
        var ledger = try await ExportLedger(in: folder, rows)
        var places = Places(in: folder)
        var difference = try difference(from: plan, store, ledger, &places)
        try await ledger.intend(difference.steps.map(\.path))
        var summary = Summary(sizes: difference.sizes)
        var rest = difference.steps[...]
        while !rest.isEmpty {
            var bytes = 0
            let batch = rest.prefix(Self.batch.files).prefix { step in
                defer { bytes += step.contents.archived }
                return bytes < Self.batch.bytes
            }
            rest = rest.dropFirst(batch.count)
            let (written, failure) = try write(batch, &places, &summary)
            difference.right += written
            guard let failure else { continue }
            try await ledger.keep(ledger.paths, difference.right)
            throw failure
        }
        summary.written = difference.steps.count
        let gone = ledger.paths.subtracting(difference.paths)
        summary.removed = try remove(gone)
        summary.isReleased = gone.contains(.reason)
        try await ledger.keep(difference.paths, difference.right)
        return summary
    }

    /// Removes all listed files, then the list; or all but pictures of these sizes and times.
    func removeAll(except pictures: Set<FileStamp> = []) async throws(ExportTrouble) {
        var ledger = try await ExportLedger(in: folder, rows)
        var kept: Set<ExportPath> = []
        var places = Places(in: folder)
        for path in pictures.isEmpty ? [] : ledger.paths {
            if isStopping() { throw .stopped }
            // Nothing of ours is in a folder that something else has replaced.
            guard let status = (try? places.existing(path)?.status(of: path.name)) ?? nil else { continue }
            if let stamp = FileStamp(status), pictures.contains(stamp) { kept.insert(path) }
        }
        _ = try remove(ledger.paths.subtracting(kept))
        try await ledger.keep(kept)
    }

    // MARK: What differs

    private struct Step {
        let path: ExportPath
        let contents: ExportContents
        let key: String
        /// The file that it replaces, if that is as it was written.
        var former: FileStamp? = nil
    }

    private struct Difference {
        /// In the plan's order.
        var steps: [Step] = []
        /// Those that have their contents, but not in the Library's ledger.
        var right: [(path: ExportPath, key: String, stamp: FileStamp)] = []
        var paths: Set<ExportPath> = []
        var sizes: [String: Int] = [:]
    }

    private func difference(
        from plan: ExportPlan, _ store: PictureStore, _ ledger: ExportLedger, _ places: inout Places
    ) throws(ExportTrouble) -> Difference {
        var difference = Difference()
        let known = ledger.paths
        for file in plan.files {
            if isStopping() { throw .stopped }
            guard let path = ExportPath(file.path), difference.paths.insert(path).inserted else {
                throw ExportTrouble(.invalid, "\(folder.path): cannot have a file named \(file.path.debugDescription)")
            }
            let (contents, key) = try folder.naming(file.path) { () throws(Errno) in
                let contents = try ExportContents(file.contents, store)
                return (contents, try contents.key())
            }
            guard let place = try places.existing(path), let status = try place.status(of: path.name) else {
                difference.steps.append(Step(path: path, contents: contents, key: key))
                continue
            }
            difference.sizes[file.path] = Int(status.identity.size)
            let recorded = ledger.key(of: path, status)
            if recorded == key { continue }
            if recorded == nil, try contents.areIn(path.name, status, of: place) {
                difference.right.append((path, key, FileStamp(status.identity)))
                continue
            }
            guard status.kind == .regular, known.contains(path) else {
                throw .occupied(place.path.appending(path.name))
            }
            difference.steps.append(
                Step(
                    path: path, contents: contents, key: key, former: recorded == nil ? nil : FileStamp(status.identity)
                ))
        }
        return difference
    }

    // MARK: Writing

    /// Writes a batch of files, up to the first that fails. Their names are not durable yet: a power cut that takes
    /// them back leaves files that differ from their rows, which the next start finds.
    private func write(
        _ steps: ArraySlice<Step>, _ places: inout Places, _ summary: inout Summary
    ) throws(ExportTrouble) -> (written: [(path: ExportPath, key: String, stamp: FileStamp)], failure: ExportTrouble?) {
        var drafts: [ExportDraft] = []
        var failure: ExportTrouble?
        for step in steps {
            do throws(ExportTrouble) {
                if isStopping() { throw .stopped }
                try room.require(step.contents.archived)
                drafts.append(
                    try ExportDraft(
                        step.contents, as: step.path.name, in: try places.made(step.path), former: step.former,
                        isStopping: isStopping))
            } catch {
                failure = error
                break
            }
        }
        // No name may survive a power cut that its contents do not.
        if drafts.contains(where: { !$0.isLink }) { try folder.synchronizeFileSystem() }
        var written: [(path: ExportPath, key: String, stamp: FileStamp)] = []
        for (step, draft) in zip(steps, drafts) {
            let (identity, bytes) = try draft.publish()
            summary.bytes += bytes
            summary.sizes[step.path.text] = Int(identity.size)
            written.append((step.path, step.key, FileStamp(identity)))
        }
        if rows == nil { try folder.synchronizeFileSystem() }
        return (written, failure)
    }

    // MARK: Removing

    /// Removes files, and the folders that they leave empty. Returns how many there were.
    private func remove(_ paths: Set<ExportPath>) throws(ExportTrouble) -> Int {
        var removed = 0
        // One folder is open at a time: a catalog has one for each sticker.
        for files in Dictionary(grouping: paths, by: { $0.folders.map { ExactName($0) } }).values {
            guard let first = files.first else { continue }
            var places = Places(in: folder)
            let place: OpenFolder?
            do throws(ExportTrouble) {
                place = try places.existing(first)
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
            var parent: OpenFolder? = folder
            for step in folders { parent = try? parent?.folder(step) }
            guard let parent else { continue }
            try parent.naming(name) { () throws(Errno) in _ = try parent.descriptor.removeEmptyFolder(Array(name.utf8))
            }
        }
    }
}

/// The folders of an export's files, of which the last one stays open: files of one folder follow one another.
private struct Places {
    private let base: OpenFolder
    private var last: (folders: [String], place: OpenFolder)?

    init(in base: OpenFolder) { self.base = base }

    /// The folder of a file, made if it is missing.
    mutating func made(_ path: ExportPath) throws(ExportTrouble) -> OpenFolder {
        if let place = try existing(path) { return place }
        var place = base
        for name in path.folders { place = try place.madeFolder(name) }
        last = (path.folders, place)
        return place
    }

    /// nil if a folder of the path is missing.
    mutating func existing(_ path: ExportPath) throws(ExportTrouble) -> OpenFolder? {
        let folders = path.folders
        if folders.isEmpty { return base }
        if let last, last.folders.elementsEqual(folders, by: { $0.isExactly($1) }) { return last.place }
        var place = base
        for name in folders {
            guard let next = try place.folder(name) else { return nil }
            place = next
        }
        last = (folders, place)
        return place
    }
}
