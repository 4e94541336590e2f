import Foundation
import Gallery
import LinuxIO
package import Logging
import PhotoColors
package import PhotoLibrary
import StickerStudio

/// Keeps each pack's derived files up to date with the Library: `pack.json` after its pages, then the gallery's page, the
/// palettes and the ZIP. The ZIP of a pack with up to 32 MiB of stickers is written before the gallery's page. The list of
/// packs is last.
///
/// To keep the pipeline fast, it coalesces changes, and writes for at most a tenth of the time.
package actor PackWriter {
    /// The ZIP of a pack with stickers of up to this many bytes is written before the gallery's page, which then has its
    /// size at once.
    private static let maxQuickArchive = 32 << 20
    /// Freed heap is returned to the kernel after this much writing. After each write for one more sticker, that would
    /// take a twentieth of its processor time, because the next write needs the memory again.
    private static let trimInterval = Duration.milliseconds(100)

    private let library: PhotoLibrary
    private let outbox: Outbox
    private let pageSizes: PageSizes
    private let conditions: Conditions
    private let logger: Logger
    private let hasWritten: @Sendable () -> Void
    private let news = Wakeup()
    private let pause: Pause
    private let requests = PackRequests()
    private var refusals = Backoff(.packIndex)
    private let entries = EntryCache()
    private var settings: PackSettings
    /// The head of each pack's last `pack.json`, and the digest of the rest.
    private var written: [ExactName: (head: PackIndexFile.Head, digest: String)] = [:]
    /// How often `recheck` was called.
    private var checks = 0
    /// The value of `checks` at which each pack's index pages were compared with the Library.
    private var checkedPages: [ExactName: Int] = [:]
    private let gallery: GalleryWriter
    private let navigation = NavigationFile()
    private let archives: ArchiveWriter
    private var rhythm: WriteRhythm
    /// How long it has written since it last returned freed heap to the kernel. The start leaves some to return, too.
    private var untrimmed = PackWriter.trimInterval
    private var lists = KeptPageLists()
    /// Packs to be written again when their ZIP may be.
    private var awaiting: Set<ExactName> = []

    // That of its outbox, which owns the thread and which this actor owns. Most steps of a write call the outbox, and a
    // change of thread costs more than many of them.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe outbox.unownedExecutor }

    /// - Parameters:
    ///   - outbox: its own, so that no sticker waits for its thread.
    ///   - hasWritten: called after each write of changed packs; must not block.
    package init(
        library: PhotoLibrary, outbox: Outbox, settings: PackSettings, conditions: Conditions,
        pageSizes: PageSizes = .standard, logger: Logger, hasWritten: @escaping @Sendable () -> Void = {}
    ) {
        self.library = library
        self.outbox = outbox
        self.settings = settings
        self.pageSizes = pageSizes
        self.conditions = conditions
        self.logger = logger
        self.hasWritten = hasWritten
        pause = Pause(conditions.clock)
        rhythm = WriteRhythm(library: library, pause: pause)
        gallery = GalleryWriter(outbox: outbox)
        archives = ArchiveWriter(library: library, outbox: outbox, conditions: conditions, logger: logger)
    }

    /// Wakes `run` to check the Library for changes.
    package nonisolated func wake() {
        news.ring()
        pause.interrupt()
    }

    /// Makes `run` write every pack again if a setting has changed.
    package nonisolated func update(_ settings: PackSettings) {
        requests.add { $0.settings = settings }
        wake()
    }

    /// Makes `run` read the outbox's files, which others may have changed, and correct them.
    package nonisolated func recheck() {
        requests.add { $0.rechecksAll = true }
        wake()
    }

    /// Makes `run` write a pack's files again that others removed.
    package nonisolated func recheck(pack: String) {
        requests.add { $0.rechecked.insert(ExactName(pack)) }
        news.ring()
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
        wake()
        for await _ in news {
            try await rhythm.rest()
            if try await writeChanges() { continue }
            // The other packs do not wait.
            news.ring(after: refusals.next(), of: conditions.clock)
        }
        _ = try await writeChanges()
    }

    /// Leaves the writing to `run`: two writers could give two indexes the same revision.
    private func markAllChanged() async throws {
        try await library.adoptPalettes(PaletteFiles.identity(settings))
        try await library.adoptPages(IndexPages.identity(settings))
        library.giveBack(changedPacks: try await library.packNames())
    }

    private func takeRequests() async throws {
        let new = requests.take()
        let hasNewSettings = new.settings.map { $0 != settings } ?? false
        if let settings = new.settings { self.settings = settings }
        if new.rechecksAll {
            written = [:]
            checks += 1
            gallery.recheck()
            archives.recheck()
            navigation.recheck()
        }
        for pack in new.rechecked {
            navigation.recheck()
            (written[pack], checkedPages[pack]) = (nil, nil)
            gallery.recheck(pack)
            markChanged(pack.text)
        }
        if hasNewSettings || new.rechecksAll { try await markAllChanged() }
    }

    /// Returns false if the outbox refused a pack, which then counts as changed again.
    private func writeChanges() async throws -> Bool {
        let start = conditions.clock.now
        try await takeRequests()
        let changed = library.takeChangedPacks()
        var rest = changed
        defer { library.giveBack(changedPacks: rest) }
        // A sticker that moves to another pack is listed there before it leaves its former one.
        let losing = rest.count > 1 ? try await library.packsWithWithdrawnFiles() : []
        for pack in rest.subtracting(losing).sorted() + rest.intersection(losing).sorted() {
            do {
                try await write(pack: pack.text)
                rest.remove(pack)
                conditions.end(.index(ofPack: pack))
            } catch let error as OutboxError where error.isAway {
                // The Processor reports it.
                break
            } catch let error as OutboxError {
                conditions.begin(.index(ofPack: pack), because: "\(error)")
                try await navigation.update(pack.text, in: library, settings: settings)
            }
        }
        // After the pages that it links to.
        try await navigation.write(through: outbox, isWanted: settings.gallery != nil, logger)
        let time = start.duration(to: conditions.clock.now)
        untrimmed += time
        // Return freed heap to the kernel while idle: thousands of stickers leave a large one.
        if untrimmed >= Self.trimInterval, try await library.isDrained() {
            FreedMemory.giveBack()
            untrimmed = .zero
        }
        logger.debug(
            "Updated pack files", metadata: ["packs": "\(changed.count)", "duration-usec": "\(time.microseconds)"])
        rhythm.wrote(from: start, during: time)
        hasWritten()
        return rest.isEmpty
    }

    private func write(pack: String) async throws {
        let pages = IndexPages(
            library: library, outbox: outbox, colorCount: settings.colorCount, sizes: pageSizes,
            hasScripts: settings.gallery != nil, cache: entries)
        let check = checks
        if checkedPages[ExactName(pack)] != check {
            // At the start, sizes and times are enough.
            try await pages.check(ofPack: pack, reading: check > 0)
            checkedPages[ExactName(pack)] = check
        }
        let folder = try await outbox.folderName(ofPack: pack)
        let summary = try await library.summary(ofPack: pack, listed: PackIndex.maxListed)
        let description = settings.description(ofPack: pack, folder: folder)
        let listing = try await pages.write(ofPack: pack)
        let index = PackIndexFile(
            description: description, summary: summary, colorCount: settings.colorCount,
            pages: lists.renewed(for: listing.pages, ofPack: pack),
            stickers: listing.pages == nil ? listing.stickers : [], cache: entries)
        let cover = listing.stickers.first
        let isListed = navigation.update(pack, description, folder: folder, summary, cover: cover)
        let head = try await write(index, after: summary.revision, pack: pack)
        func writePage() async throws {
            try await gallery.write(
                index, head, cover, ofPack: pack, folder: folder, settings: isListed ? settings : nil)
        }
        let isQuick = summary.stickerBytes <= Self.maxQuickArchive
        var refusal: OutboxError?
        if isQuick {
            do {
                _ = try await writeArchive(ofPack: pack, summary)
            } catch let error as OutboxError {
                // The pack's other files are written first.
                refusal = error
            }
        }
        // Of the stickers' files, only those that were withdrawn before the index was made: it may list others. Only this
        // writer changes pages, so it lists none of their former files.
        let removed = listing.formerFiles + summary.withdrawn.filter { !IndexPages.isFile($0) }
        do {
            try await writePage()
            try await outbox.withdraw(removed, fromPack: pack)
        } catch let error as OutboxError {
            // Otherwise, numbers would be used again if another program removed pack.json while this lasts.
            try await library.record(index: head.revision, removed: [], ofPack: pack)
            throw error
        }
        try await library.record(index: head.revision, removed: removed, ofPack: pack)
        logger.withdrew(removed, fromPack: pack)
        try await PaletteFiles(library: library, outbox: outbox, settings: settings).write(ofPack: pack)
        if !isQuick, try await writeArchive(ofPack: pack, summary) {
            try await writePage()
        }
        if let refusal { throw refusal }
    }

    /// Writes a pack's index if it has changed, and returns its head.
    ///
    /// - Parameters:
    ///   - index: the new index, without its head.
    ///   - revision: the number of the last index that the Library has recorded.
    ///   - pack: the index's.
    private func write(_ index: PackIndexFile, after revision: Int, pack: String) async throws -> PackIndexFile.Head {
        let last = if let known = written[ExactName(pack)] { known } else { try await outbox.index(ofPack: pack) }
        let head = PackIndexFile.Head(
            revision: max(last?.head.revision ?? 0, revision) + 1,
            updated: Date.now.formatted(.packTime))
        let digest = try await outbox.write(index, head: head, pack: pack, unless: last?.digest)
        if let last, last.digest == digest {
            written[ExactName(pack)] = last
            return last.head
        }
        written[ExactName(pack)] = (head, digest)
        return head
    }

    /// Writes the pack's ZIP if no photo is pending. Returns whether it has changed.
    private func writeArchive(ofPack pack: String, _ summary: PhotoLibrary.PackSummary) async throws -> Bool {
        guard summary.pendingCount == 0 else { return false }
        let outcome = try await archives.write(ofPack: pack, summary, settings: pause.isEnded ? nil : settings)
        if case .later(let wait) = outcome { writeAgain(pack, after: wait) }
        return outcome == .changed
    }

    /// Makes `run` write the pack again after `wait`.
    private func writeAgain(_ pack: String, after wait: Duration) {
        guard awaiting.insert(ExactName(pack)).inserted else { return }
        // `stop` ends the wait.
        Task {
            await pause.sleep(for: wait)
            markChanged(pack)
        }
    }

    private func markChanged(_ pack: String) {
        awaiting.remove(ExactName(pack))
        library.giveBack(changedPacks: [ExactName(pack)])
        news.ring()
    }
}
