import Gallery
import LinuxIO
import PhotoLibrary

/// Keeps each pack's page in the gallery, and that page's script, up to date.
final class GalleryWriter {
    private let outbox: Outbox
    /// SHA-256 of each pack's page.
    private var written: [ExactName: String] = [:]
    /// How often `recheck` was called.
    private var checks = 0
    /// The value of `checks` at which the script of each pack's page was compared with this release's.
    private var checkedCode: [ExactName: Int] = [:]
    /// The value of `checks` at which the scripts of each pack without a page were removed.
    private var removedCode: [ExactName: Int] = [:]

    init(outbox: Outbox) { self.outbox = outbox }

    /// Makes the next writes compare with the files, which other programs may have changed.
    func recheck() {
        written = [:]
        checks += 1
    }

    /// The same for one pack.
    func recheck(_ pack: ExactName) { (written[pack], checkedCode[pack], removedCode[pack]) = (nil, nil, nil) }

    /// Writes a pack's page if it has changed, or removes it if the pack is to have none.
    ///
    /// - Parameters:
    ///   - index: the pack's.
    ///   - head: of the index on disk.
    ///   - cover: the pack's first sticker.
    ///   - pack: its path in the inbox.
    ///   - folder: its path in the outbox.
    ///   - settings: nil if the pack is to have no page.
    /// - Throws: `OutboxError` if the file system refuses, or errors of the Library.
    func write(
        _ index: PackIndexFile, _ head: PackIndexFile.Head, _ cover: PhotoLibrary.PackSticker?, ofPack pack: String,
        folder: String, settings: PackSettings?
    ) async throws {
        let name = ExactName(pack)
        guard let settings, let gallery = settings.gallery else {
            (written[name], checkedCode[name]) = (nil, nil)
            // A crash may have come between the removals of the page and of its script.
            guard try await outbox.removePage(ofPack: pack), removedCode[name] != checks else { return }
            let check = checks
            try await outbox.removeCode(inPack: pack, except: nil)
            removedCode[name] = check
            return
        }
        removedCode[name] = nil
        var archive = try await outbox.archive(ofPack: pack)
        archive?.isNewest = PackArchive.skipped(index.summary, limit: gallery.maxArchiveBytes) > 0
        let contents = GalleryContents(
            index, head: head, cover: cover, archive: archive,
            navigation: (folder.isEmpty ? "" : "../") + PackNavigation.fileName,
            exports: gallery.hasExports && index.summary.stickerCount > 0
                ? "\(OutboxSubfolder.exports.rawValue)/\(ExportFiles.script)" : nil)
        let check = checks
        // Another program may have deleted the script since.
        var hasCode = checkedCode[name] == check
        if hasCode { hasCode = try await outbox.mayHaveCode(inPack: pack) }
        if !hasCode { try await outbox.writeCode(inPack: pack) }
        let last = if let known = written[name] { known } else { try await outbox.pageDigest(ofPack: pack) }
        written[name] = try await outbox.write(
            GalleryPage(contents, baseURL: settings.baseURL(ofFolder: folder, gallery)), index: index, pack: pack,
            unless: last)
        guard !hasCode else { return }
        try await outbox.removeCode(inPack: pack, except: try PageCode.name.get())
        checkedCode[name] = check
    }
}
