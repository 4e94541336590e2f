import LinuxIO
import OutboxLayout
import PackExports
import PackFacts
import SystemPackage

/// Removed stickers must not stay in what users hand out, even while an export cannot be written.
extension PackExporter {
    /// Removes from these exports what shows stickers that the pack no longer has, or that look different now: their
    /// pictures, and all lists and archives, which may have them. Pictures of the pack's stickers stay.
    ///
    /// - Parameter base: the folder of the pack's exports.
    /// - Returns: whether there was anything to remove.
    func withdraw(
        from exports: [any PackExport], of pack: Pack, in folder: OpenFolder, _ base: OpenFolder
    ) async throws(ExportTrouble) -> Bool {
        guard let store = try base.folder(ExportFiles.pictures) else { return false }
        var digests: Set<String> = []
        for sticker in pack.stickers {
            if isStopping() { throw .stopped }
            if let digest = sticker.sha256 {
                digests.insert(PictureStore.prefix(of: digest))
                continue
            }
            do throws(Errno) {
                digests.insert(PictureStore.prefix(of: try memory.digest(of: try folder.open(sticker.file)).hex))
            } catch {
                // A failing disk is no reason to remove everything.
                guard !error.isTransient else { throw .refused(folder.path.appending(sticker.file), error) }
            }
        }
        // Their hard links and copies in the exports have the same size and time, which follows from the name.
        var kept: Set<FileStamp> = []
        var withdrawn: [String] = []
        for (name, _) in try store.names() where PictureStore.isPicture(name) {
            guard digests.contains(PictureStore.prefix(of: name)) else {
                withdrawn.append(name)
                continue
            }
            if let stamp = try store.status(of: name).flatMap({ FileStamp($0) }) { kept.insert(stamp) }
        }
        guard !withdrawn.isEmpty else { return false }
        for export in exports {
            guard let output = try? base.folder(export.name) else { continue }
            try await writer(in: output, export).removeAll(except: kept)
        }
        // Removed last: if a crash interrupts this, they show that the withdrawal is unfinished.
        for name in withdrawn { try store.remove(name) }
        try store.synchronize()
        return true
    }

    /// The same of all exports, if none can be written. The page then shows the reason instead of downloads.
    func withdraw(_ pack: Pack, in folder: OpenFolder, because reason: String) async throws(ExportTrouble) {
        guard let base = try folder.folder(OutboxSubfolder.exports.rawValue),
            try await withdraw(from: exports, of: pack, in: folder, base)
        else { return }
        let offers = exports.map { $0.offer(withheld: Self.reason(reason)) }
        try base.writeIfChanged(PackDownloads.script(offers), named: ExportFiles.script)
    }
}
