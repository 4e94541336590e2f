import Gallery
import Outbox
import OutboxLayout
import PackFacts
import PackLedger
import PhotoColors
import PhotoLibrary

/// Writes the pages of a large pack's index: those whose stickers have changed, before `pack.json` lists them.
///
/// The order keeps every state that a reader can see consistent: first a page's files are complete on disk, then
/// the Library records them, then `pack.json` and the gallery's page list them, then the former ones are removed.
struct IndexPages {
    let library: Library
    let publisher: Publisher
    /// The number of colors per photo.
    let colorCount: Int
    let sizes: PageSizes
    /// Whether each page also has a script, which the gallery reads.
    let hasScripts: Bool

    /// The most pages written between two transactions that record them.
    private static let batch = 20

    /// The format and settings on which the files depend.
    static func identity(_ settings: PackSettings) -> String {
        let index =
            "\(Pack.schemaVersion) \(settings.colorCount) \(PhotoColorScheme.revision) \(StickerWords.revision) "
            + "\(PackEntry.revision)"
        return settings.gallery == nil ? index : "\(index) script \(PageScript.version)"
    }

    /// Writes the pages that are due. The cost depends on their number, not on the pack.
    ///
    /// - Returns: what the index lists now.
    /// - Throws: as `Publisher.publish`.
    func write(ofPack pack: String) async throws -> Library.PackListing {
        guard try await library.arrangePages(ofPack: pack, sizes: sizes) else {
            return try await library.listing(ofPack: pack, isDivided: false)
        }
        var last: Library.DuePage?
        while true {
            var due: [Library.DuePage] = []
            while due.count < Self.batch, last?.isLast != true,
                let page = try await library.nextDuePage(ofPack: pack, after: last?.page)
            {
                due.append(page)
                last = page
            }
            let changes = try await publisher.publish(
                try due.map { (.page($0.page.name.number), try files($0)) }, inPack: pack)
            if due.count < Self.batch || last?.isLast == true {
                return try await library.listing(
                    ofPack: pack, isDivided: true, recording: due.map(\.page), with: changes)
            }
            try await library.record(due.map(\.page), ofPack: pack, with: changes)
        }
    }

    /// Its files, as its stickers are now.
    func files(_ due: Library.DuePage) throws -> [PlannedFile] {
        let stickers = due.stickers.map { PackEntry($0) }
        let text = Pack.pageJSON(revision: due.page.name.revision, stickers, colorCount: colorCount).bytes()
        let index = try PlannedFile(due.page.name.file(.index), text + Array("\n".utf8))
        guard hasScripts else { return [index] }
        let script = PageScript.text(page: due.page.name.stem, stickers)
        return [index, try PlannedFile(due.page.name.file(.script), script)]
    }
}
