import FileNames
import Logging
import Outbox
import OutboxLayout
import PackLedger
import PhotoLibrary

/// Computes the keys of all pages and palettes, and marks those that differ from the ledger. Normally a trigger has
/// marked every change. If one is missing, that is a fault of stickerd, and the file would stay out of date until its
/// next change.
final class Resync {
    /// The most palettes whose files are made together.
    private static let batch = 100

    private let library: Library
    private let logger: Logger
    private let fail: (String) -> Void
    /// The packs that are still to be checked.
    private var rest: [ExactName] = []

    /// - Parameter fail: called for each part that was not marked.
    init(library: Library, logger: Logger, fail: @escaping (String) -> Void = { assertionFailure($0) }) {
        (self.library, self.logger, self.fail) = (library, logger, fail)
    }

    /// Has `run` check all packs.
    func request() async throws { rest = try await library.packNames().sorted() }

    /// Checks what is left to check, and marks the packs as changed, because a write compares all their other keys.
    /// When there is other work, the rest is left to the next call. Only the packs' writer may call this.
    func run(_ pages: IndexPages, _ palettes: PaletteFiles, isIdle: () async throws -> Bool) async throws {
        while let pack = rest.last {
            guard try await check(pages, ofPack: pack.text, isIdle),
                try await check(palettes, ofPack: pack.text, isIdle)
            else { return }
            rest.removeLast()
            library.giveBack(changedPacks: [pack])
        }
    }

    /// Returns false if there is other work.
    private func check(
        _ pages: IndexPages, ofPack pack: String, _ isIdle: () async throws -> Bool
    ) async throws -> Bool {
        var last: PackPage?
        while let page = try await library.nextWrittenPage(ofPack: pack, after: last) {
            guard try await isIdle() else { return false }
            last = page.page
            let part = LedgerPart.page(page.page.name.number)
            guard try await !stale([(part, try pages.files(page))], ofPack: pack).isEmpty else { continue }
            try await library.markChanged(page.page, ofPack: pack)
            report(part, pack)
        }
        return true
    }

    /// The same.
    private func check(
        _ palettes: PaletteFiles, ofPack pack: String, _ isIdle: () async throws -> Bool
    ) async throws -> Bool {
        var photo = ""
        while !palettes.settings.paletteFormats.isEmpty {
            guard try await isIdle() else { return false }
            let batch = try await library.writtenPalettes(ofPack: pack, after: photo, limit: Self.batch)
            guard let end = batch.last else { break }
            photo = end.photo
            let plan = try batch.map { (part: LedgerPart.palettes(of: $0.photo), files: try palettes.plan($0)) }
            let stale = try await stale(plan, ofPack: pack)
            for palette in batch where stale.contains(.palettes(of: palette.photo)) {
                try await library.markChanged(paletteOf: palette.photo, ofPack: pack)
                report(.palettes(of: palette.photo), pack)
            }
        }
        return true
    }

    /// The parts that have other files than those in the ledger. One whose file others have changed is not among them.
    private func stale(
        _ plan: [(part: LedgerPart, files: [PlannedFile])], ofPack pack: String
    ) async throws -> Set<LedgerPart> {
        let ledger = try await library.ledger(ofPack: pack, plan.map(\.part))
        return Set(
            plan.filter { part, files in
                let written = Set((ledger[part] ?? []).map { "\($0.file) \($0.key)" })
                return written != Set(files.map { "\($0.file) \($0.key)" })
            }.map(\.part))
    }

    private func report(_ part: LedgerPart, _ pack: String) {
        logger.error(
            "A change was not marked, and files were out of date; report this",
            metadata: ["pack": "\(pack)", "part": "\(part.name)"])
        fail(part.name)
    }
}
