import Foundation
import Gallery
import LinuxIO
package import Logging
import PhotoColors
package import PhotoLibrary
import StickerStudio
import Systemd

/// Keeps each pack's derived files up to date with the Library: `pack.json` after its pages, then the gallery's page, the
/// palettes and the ZIP.
/// To keep the pipeline fast, it coalesces changes, and writes for at most a tenth of the time.
package actor PackWriter {
    /// The shortest time from one write to the next.
    private static let minInterval = Duration.milliseconds(200)
    /// The next write starts this many times as long after the last start as that write took.
    private static let restFactor = 10
    /// The same for ZIPs, which are always written as a whole.
    private static let archiveRestFactor = 50
    /// The longest wait once the queue is empty.
    private static let maxDelayWhenDrained = Duration.milliseconds(700)
    /// How often a longer wait checks whether the queue is empty.
    private static let checkInterval = Duration.milliseconds(100)

    private let library: PhotoLibrary
    private let outbox: Outbox
    private let pageSizes: PageSizes
    private let conditions: Conditions
    private let logger: Logger
    private let news = Wakeup()
    private let pause = Pause()
    private var refusals = Backoff(.packIndex)
    private var missingRoom = Backoff(.packArchive)
    private let entries = EntryCache()
    private var settings: PackSettings
    /// The head of each pack's last `pack.json`, and the digest of the rest.
    private var written: [ExactName: (head: PackIndexFile.Head, digest: String)] = [:]
    /// How often `recheck` was called.
    private var checks = 0
    /// The value of `checks` at which each pack's index pages were compared with the Library.
    private var checkedPages: [ExactName: Int] = [:]
    /// SHA-256 of each pack's page in the gallery.
    private var galleryPages: [ExactName: String] = [:]
    /// When a ZIP may be written again.
    private var nextArchive = ContinuousClock.now
    private var nextWrite = ContinuousClock.now
    /// Packs to be written again when their ZIP may be.
    private var awaiting: Set<ExactName> = []

    /// - Parameter outbox: its own, so that no sticker waits for its thread.
    package init(
        library: PhotoLibrary, outbox: Outbox, settings: PackSettings, conditions: Conditions,
        pageSizes: PageSizes = .standard, logger: Logger
    ) {
        self.library = library
        self.outbox = outbox
        self.settings = settings
        self.pageSizes = pageSizes
        self.conditions = conditions
        self.logger = logger
    }

    /// Wakes `run` to check the Library for changes.
    package nonisolated func wake() { news.ring() }

    /// Makes `run` write every pack again if a setting has changed.
    ///
    /// - Throws: errors of the Library.
    package func update(_ settings: PackSettings) async throws {
        guard settings != self.settings else { return }
        self.settings = settings
        try await markAllChanged()
    }

    /// Makes `run` read the outbox's files, which others may have changed, and correct them.
    package func recheck() async throws {
        written = [:]
        checks += 1
        galleryPages = [:]
        try await markAllChanged()
    }

    /// Makes `run` write once more, so that the last photo is listed, and return.
    package nonisolated func stop() {
        news.finish()
        pause.end()
    }

    /// Writes what is missing or out of date in any pack, then changed packs after each wake-up, until `stop()`.
    /// Retries what the outbox's disk refuses.
    ///
    /// - Throws: errors of the Library.
    package func run() async throws {
        try await markAllChanged()
        for await _ in news {
            try await rest()
            if try await writeChanges() { continue }
            // The other packs do not wait. No-op after `stop`.
            let wait = refusals.next()
            Task { [news] in
                try? await Task.sleep(for: wait)
                news.ring()
            }
        }
        _ = try await writeChanges()
    }

    /// Leaves the writing to `run`: two writers could give two indexes the same revision.
    private func markAllChanged() async throws {
        try await library.adoptPalettes(PaletteFiles.identity(settings))
        try await library.adoptPages(IndexPages.identity(settings))
        library.giveBack(changedPacks: try await library.packNames())
        wake()
    }

    private func rest() async throws {
        while !pause.isEnded, !Task.isCancelled {
            let wait = ContinuousClock.now.duration(to: nextWrite)
            guard wait > .zero else { return }
            if try await library.status().isDrained {
                return await pause.sleep(for: min(wait, Self.maxDelayWhenDrained))
            }
            await pause.sleep(for: min(wait, Self.checkInterval))
        }
    }

    /// Returns false if the outbox refused a pack, which then counts as changed again.
    private func writeChanges() async throws -> Bool {
        let start = ContinuousClock.now
        let changed = library.takeChangedPacks()
        var rest = changed
        defer { library.giveBack(changedPacks: rest) }
        for pack in rest.sorted() {
            do {
                try await write(pack: pack.text)
                rest.remove(pack)
                conditions.end(.index(ofPack: pack))
            } catch let error as OutboxError where error.isAway {
                // The Processor reports it.
                break
            } catch let error as OutboxError {
                conditions.begin(.index(ofPack: pack), because: "\(error)")
            }
        }
        // Return freed heap to the kernel while idle: thousands of stickers leave a large one.
        if try await library.status().isDrained { FreedMemory.giveBack() }
        let time = start.duration(to: .now)
        logger.debug(
            "Updated pack files", metadata: ["packs": "\(changed.count)", "duration-usec": "\(time.microseconds)"])
        nextWrite = start.advanced(by: max(Self.minInterval, time * Self.restFactor))
        return rest.isEmpty
    }

    private func write(pack: String) async throws {
        let pages = IndexPages(
            library: library, outbox: outbox, colorCount: settings.colorCount, sizes: pageSizes, cache: entries)
        let check = checks
        if checkedPages[ExactName(pack)] != check {
            // At the start, sizes and times are enough.
            try await pages.check(ofPack: pack, reading: check > 0)
            checkedPages[ExactName(pack)] = check
        }
        // Fetched before the index is made: files in the new index must not be deleted.
        var withdrawn = try await library.withdrawnFiles(ofPack: pack)
        let folder = try await library.folder(ofPack: pack, candidates: OutboxName.packFolders(for: pack)) ?? ""
        let summary = try await library.summary(ofPack: pack, listed: PackIndex.maxListed)
        let description = settings.description(ofPack: pack, folder: folder)
        let index = PackIndexFile(
            description: description, summary: summary, colorCount: settings.colorCount,
            pages: try await pages.write(ofPack: pack), cache: entries)
        // Only this writer changes pages, so the new index lists none of these.
        withdrawn = try await pages.replaced(ofPack: pack, adding: withdrawn)
        let head = try await write(index, pack: pack)
        try await writePage(pack, folder, description, summary, head)
        try await outbox.withdraw(withdrawn, fromPack: pack)
        try await library.forgetWithdrawn(withdrawn, ofPack: pack)
        logWithdrawn(withdrawn, fromPack: pack)
        try await PaletteFiles(library: library, outbox: outbox, settings: settings).write(ofPack: pack)
        if summary.pendingCount == 0, try await writeArchive(ofPack: pack, stickerBytes: summary.stickerBytes) {
            try await writePage(pack, folder, description, summary, head)
        }
    }

    /// Logs one line for all: a folder of thousands may have been emptied.
    private func logWithdrawn(_ files: [String], fromPack pack: String) {
        // Thumbnails are in a subfolder.
        let stickers = files.filter { !$0.contains("/") }
        guard let sticker = stickers.first else { return }
        logger.notice(
            "Withdrew stickers from the pack",
            metadata: [
                "event": "\(JournalEvent.stickersWithdrawn.rawValue)", "pack": "\(pack)", "sticker": "\(sticker)",
                "stickers": "\(stickers.count)",
            ])
    }

    /// Writes a pack's index if it has changed, and returns its head.
    private func write(_ index: PackIndexFile, pack: String) async throws -> PackIndexFile.Head {
        let last = if let known = written[ExactName(pack)] { known } else { try await outbox.index(ofPack: pack) }
        let head = PackIndexFile.Head(
            revision: max(last?.head.revision ?? 0, try await library.revision(ofPack: pack)) + 1,
            updated: Date.now.formatted(.packTime))
        let digest = try await outbox.write(index, head: head, pack: pack, unless: last?.digest)
        if let last, last.digest == digest {
            written[ExactName(pack)] = last
            return last.head
        }
        try await library.setRevision(head.revision, ofPack: pack)
        written[ExactName(pack)] = (head, digest)
        return head
    }

    private func writePage(
        _ pack: String, _ folder: String, _ description: PackIndex.Pack, _ summary: PhotoLibrary.PackSummary,
        _ head: PackIndexFile.Head
    ) async throws {
        guard let gallery = settings.gallery else { return }
        let cover = try await library.stickers(ofPack: pack, after: .start, limit: 1).first
        let contents = GalleryContents(
            description: description, summary: summary, head: head, cover: cover, colorCount: settings.colorCount,
            archive: try await outbox.archive(ofPack: pack), packs: try await links(from: pack))
        let last =
            if let known = galleryPages[ExactName(pack)] { known } else { try await outbox.pageDigest(ofPack: pack) }
        galleryPages[ExactName(pack)] = try await outbox.write(
            GalleryPage(contents, baseURL: settings.baseURL(ofFolder: folder, gallery)), pack: pack, unless: last)
    }

    /// Links from the root pack's page to the others, and back.
    private func links(from pack: String) async throws -> [GalleryContents.Link] {
        guard pack.isEmpty else { return [.init(name: settings.name, href: "../\(GalleryPage.fileName)")] }
        return try await library.packFolders().sorted { $0.key < $1.key }.map { name, folder in
            .init(name: name.text, href: "\(folder)/\(GalleryPage.fileName)")
        }
    }

    /// Returns whether the pack's ZIP has changed.
    private func writeArchive(ofPack pack: String, stickerBytes: Int) async throws -> Bool {
        guard let limit = settings.gallery?.maxArchiveBytes, !pause.isEnded else { return archiveNeedsNoRoom(pack) }
        // Reads no list of stickers that cannot fit.
        guard stickerBytes <= limit else { return try await removeArchive(ofPack: pack) }
        let archive = try PackArchive(try await library.archivedStickers(ofPack: pack))
        guard archive.fits(into: limit) else { return try await removeArchive(ofPack: pack) }
        if try await outbox.has(archive, inPack: pack) { return archiveNeedsNoRoom(pack) }
        let wait = ContinuousClock.now.duration(to: nextArchive)
        guard wait <= .zero else { return writeAgain(pack, after: wait) }
        guard try await hasRoom(for: archive, ofPack: pack) else {
            return writeAgain(pack, after: missingRoom.next())
        }
        let start = ContinuousClock.now
        try await outbox.publish(archive, inPack: pack)
        nextArchive = start.advanced(by: start.duration(to: .now) * Self.archiveRestFactor)
        return true
    }

    private func removeArchive(ofPack pack: String) async throws -> Bool {
        _ = archiveNeedsNoRoom(pack)
        return try await outbox.removeArchive(ofPack: pack)
    }

    /// Ends the wait for room. Returns false.
    private func archiveNeedsNoRoom(_ pack: String) -> Bool {
        conditions.end(.archive(ofPack: ExactName(pack)))
        return false
    }

    /// Whether the disk has room for a new ZIP beside the current one, which stays, and stays linked, until then.
    private func hasRoom(for archive: PackArchive, ofPack pack: String) async throws -> Bool {
        do {
            try await outbox.requireRoom(settings.minFreeBytes + archive.size)
            conditions.end(.archive(ofPack: ExactName(pack)))
            return true
        } catch let error as ConditionError {
            let condition = Condition.archive(ofPack: ExactName(pack))
            let isFirst = !conditions.has(condition)
            conditions.begin(condition, because: error.reason, isLogged: false)
            guard isFirst else { return false }
            logger.warning(
                "\(condition.beginning)", metadata: ["pack": "\(pack)", "needed-bytes": "\(archive.size)"])
            return false
        }
    }

    /// Makes `run` write the pack again after `wait`. Returns false.
    private func writeAgain(_ pack: String, after wait: Duration) -> Bool {
        guard awaiting.insert(ExactName(pack)).inserted else { return false }
        // `stop` ends the wait.
        Task {
            await pause.sleep(for: wait)
            markChanged(pack)
        }
        return false
    }

    private func markChanged(_ pack: String) {
        awaiting.remove(ExactName(pack))
        library.giveBack(changedPacks: [ExactName(pack)])
        news.ring()
    }
}
