import Gallery
import PhotoColors
import PhotoLibrary

/// Writes the pages of a large pack's index: those whose stickers have changed, before `pack.json` lists them.
///
/// The order keeps every state that a reader can see consistent: first a page's files are complete on disk, then
/// the Library records them and withdraws the former ones, then `pack.json` and the gallery's page list them, then the
/// former ones are removed.
struct IndexPages {
    let library: PhotoLibrary
    let outbox: Outbox
    /// The number of colors per photo.
    let colorCount: Int
    let sizes: PageSizes
    /// Whether each page also has a script, which the gallery reads.
    let hasScripts: Bool
    let cache: EntryCache

    /// The most files written between two transactions that record them.
    private static let batch = 20

    /// The format and settings on which the files depend.
    static func identity(_ settings: PackSettings) -> String {
        let index =
            "\(PackIndex.schemaVersion) \(settings.colorCount) \(PhotoColorScheme.revision) \(StickerWords.revision)"
        return settings.gallery == nil ? index : "\(index) script \(PageScript.version)"
    }

    /// Whether a file, given relative to its pack's folder, may be a page's.
    static func isFile(_ file: String) -> Bool { file.hasPrefix(PackPage.folder + "/") }

    /// Writes the pages that are due. The cost depends on their number, not on the pack.
    ///
    /// - Returns: what the index lists now.
    /// - Throws: `OutboxError` if the file system refuses.
    func write(ofPack pack: String) async throws -> PhotoLibrary.PackListing {
        let isDivided = try await library.arrangePages(ofPack: pack, sizes: sizes)
        let files = isDivided ? try await writeDuePages(ofPack: pack) : []
        return try await library.listing(ofPack: pack, isDivided: isDivided, recording: files)
    }

    /// Writes the pages that are due. Returns the files of the last ones, of at most `batch` pages, which `listing` records.
    private func writeDuePages(ofPack pack: String) async throws -> [PhotoLibrary.PageFiles] {
        var last: PhotoLibrary.DuePage?
        var files: [PhotoLibrary.PageFiles] = []
        while last?.isLast != true, let due = try await library.nextDuePage(ofPack: pack, after: last?.page) {
            let text = PackIndexFile.page(
                revision: due.page.revision, stickers: due.stickers, colorCount: colorCount, cache: cache)
            let script =
                hasScripts ? PageScript.text(page: due.page.stem, due.stickers.map(cache.galleryEntry)) : nil
            if files.count == Self.batch {
                try await library.record(files, ofPack: pack)
                files = []
            }
            files.append(try await outbox.write(index: text, script: script, as: due.page, inPack: pack))
            last = due
        }
        return files
    }

    /// Compares the files with those that were written: by size and time, or by their contents if `reading`. Damaged
    /// ones become due, and those that belong to no page are to be removed.
    ///
    /// - Throws: as `write`.
    func check(ofPack pack: String, reading: Bool) async throws {
        let files = try await library.pageFiles(ofPack: pack)
        let names = try await outbox.tidiedNames(ofPack: pack, .pages)
        let known = Set(files.flatMap { files in files.all.map { ExactName(files.page.name($0.kind)) } })
        let unknown = names.subtracting(known).map(\.text).filter { PackPage.parse(name: $0) != nil }
        let damaged = try await outbox.damaged(files, inPack: pack, reading: reading)
        try await library.correctPages(ofPack: pack, damaged: damaged, unknown: unknown.sorted())
    }
}
