import FileNames
import LinuxIO
package import PackLedger
package import PhotoLibrary
import SystemPackage

/// Makes a pack's folder have the derived files of its plan: compares the plan with the ledger, and writes what
/// differs.
///
/// A file has its row in the ledger before its name, and loses the name before its row. So each file that a crash
/// leaves is known: at the next start, `audit` compares all rows with the files.
package struct Publisher {
    let library: Library
    let outbox: OutboxWriter

    /// The most files of a batch.
    private static let batch = 500

    package init(library: Library, outbox: OutboxWriter) { (self.library, self.outbox) = (library, outbox) }

    /// Writes the files that are missing or have other contents, in the order of the parts and of their files. The
    /// parts' other files are to be removed.
    ///
    /// - Parameter syncsFolder: otherwise, the pack's folder is to be synced before its files count as written.
    /// - Returns: what the caller has to record of the parts, as a whole; none if nothing was to do.
    /// - Throws: `OutboxError` if the file system refuses, or errors of the Library.
    package func publish(
        _ plan: [(part: LedgerPart, files: [PlannedFile])], inPack pack: String, syncsFolder: Bool = true
    ) async throws -> [LedgerPart: [LedgerEntry]] {
        let ledger = try await library.ledger(ofPack: pack, plan.map(\.part))
        var due: [PlannedFile] = []
        var intended: [LedgerPart: [LedgerEntry]] = [:]
        var entries: [LedgerPart: [LedgerEntry]] = [:]
        for (part, files) in plan {
            let known = Dictionary((ledger[part] ?? []).map { (ExactName($0.file), $0) }) { first, _ in first }
            let stale = files.filter { file in
                known[ExactName(file.file)].map { $0.stamp == nil || $0.key != file.key } ?? true
            }
            guard !stale.isEmpty || known.count > files.count else { continue }
            due += stale
            for file in files {
                let entry = known[ExactName(file.file)]
                if entry == nil { intended[part, default: []].append(LedgerEntry(file: file.file, key: "")) }
                entries[part, default: []].append(entry ?? LedgerEntry(file: file.file, key: ""))
            }
            if files.isEmpty { entries[part] = [] }
        }
        try await library.record(intended, ofPack: pack, isWhole: false)
        let stamps = try await outbox.write(due, inPack: pack, syncsFolder: syncsFolder)
        let written = Dictionary(
            zip(due, stamps).map { (ExactName($0.file), LedgerEntry(file: $0.file, key: $0.key, stamp: $1)) }
        ) { first, _ in first }
        return entries.mapValues { $0.map { written[ExactName($0.file)] ?? $0.kept } }
    }

    /// Removes the files that no plan has any more. One that others have replaced stays.
    ///
    /// - Throws: as `publish`.
    package func removeUnwanted(fromPack pack: String) async throws {
        while true {
            let files = try await library.unwanted(ofPack: pack, limit: Self.batch)
            guard !files.isEmpty else { return }
            let others = try await outbox.changed(files.filter { $0.stamp != nil }, inPack: pack)
            try await outbox.withdraw(files.map(\.file).filter { !others.contains(ExactName($0)) }, fromPack: pack)
            try await library.forget(files: files.map(\.file), ofPack: pack)
        }
    }

    /// Finds those of these files that are not as they were written. Returns whether there are any.
    ///
    /// - Throws: as `publish`.
    func audit(_ files: Set<ExactName>, inPack pack: String) async throws -> Bool {
        let entries = try await library.ledger(ofPack: pack, among: files)
        let changed = try await outbox.changed(entries.filter { $0.stamp != nil }, inPack: pack)
        try await library.recordLoss(of: entries.filter { changed.contains(ExactName($0.file)) }, ofPack: pack)
        return !changed.isEmpty
    }

    /// Finds the files that are not as they were written: by size and time, or by their contents if `reading`;
    /// only those whose paths begin with `prefix`.
    ///
    /// - Throws: as `publish`.
    package func audit(pack: String, reading: Bool, prefix: String = "") async throws {
        var last = ""
        while true {
            let files = try await library.ledger(ofPack: pack, after: last, limit: Self.batch, prefix: prefix)
            guard let end = files.last else { return }
            let changed = try await outbox.changed(files.filter { $0.stamp != nil }, inPack: pack, reading: reading)
            try await library.recordLoss(of: files.filter { changed.contains(ExactName($0.file)) }, ofPack: pack)
            last = end.file
        }
    }
}

extension OutboxWriter {
    /// Syncs a pack's folder.
    package func sync(pack: String) async throws {
        try await inFolder(ofPack: pack) { folder throws(Errno) in try AtomicFile.synchronize(folder.descriptor) }
    }

    /// Writes files, each atomically, and syncs each folder once, the pack's own only with `syncsFolder`.
    fileprivate func write(
        _ files: [PlannedFile], inPack pack: String, syncsFolder: Bool
    ) async throws -> [FileStamp?] {
        var stamps: [FileStamp?] = []
        var rest = files[...]
        while let first = rest.first {
            let batch = rest.prefix { $0.subfolder == first.subfolder }
            rest = rest.dropFirst(batch.count)
            let names = batch.map(\.name)
            stamps += try await inFolder(ofPack: pack, first.subfolder, writing: names) { folder throws(Errno) in
                try AtomicFile.write(
                    batch.map { ($0.name, $0.bytes) }, in: folder.descriptor, mode: Self.fileMode,
                    syncsFolder: syncsFolder || first.subfolder != nil
                ).map(FileStamp.init)
            }
        }
        return stamps
    }

    /// Those of a pack's files that are not as they were written.
    fileprivate func changed(
        _ files: [LedgerEntry], inPack pack: String, reading: Bool = false
    ) async throws -> Set<ExactName> {
        guard !files.isEmpty else { return [] }
        return try await inFolder(ofPack: pack) { folder throws(Errno) in
            var changed: Set<ExactName> = []
            for file in files where try !folder.has(file, reading: reading) { changed.insert(ExactName(file.file)) }
            return changed
        }
    }
}

extension OpenFolder {
    fileprivate func has(_ entry: LedgerEntry, reading: Bool) throws(Errno) -> Bool {
        do throws(Errno) {
            let file = Array(entry.file.utf8)
            guard try FileStamp(FileStatus(of: file, in: descriptor.raw)) == entry.stamp else { return false }
            guard reading else { return true }
            let open = try OwnedDescriptor(opening: file, in: descriptor.raw, options: .nonBlocking)
            return try PlannedFile.isKey(entry.key, of: open, named: entry.file)
        } catch {
            guard !error.isShortage else { throw error }
            // A file that cannot be read is replaced.
            return false
        }
    }
}
