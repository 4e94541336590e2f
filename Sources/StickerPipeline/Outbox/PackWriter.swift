import Foundation
import Gallery
import LinuxIO
package import Logging
import PhotoColors
package import PhotoLibrary
import StickerStudio
import Systemd

/// Keeps what is derived from the Library up to date in every pack's folder: `pack.json`, then the gallery, then the
/// palettes and the archive. It does not slow the pipeline: changes are gathered, and writing takes a tenth of the time
/// at most.
package actor PackWriter {
    /// Shortest time from one write to the next.
    private static let minInterval = Duration.milliseconds(200)
    /// The next write waits this many times as long as the last one took.
    private static let restFactor = 10
    /// The next archive waits this many times as long as the last one took: it is written as a whole each time.
    private static let archiveRestFactor = 50
    /// Longest wait once the queue is empty.
    private static let maxDelayWhenDrained = Duration.milliseconds(700)
    /// How often a longer rest is interrupted to see whether the queue is empty.
    private static let look = Duration.milliseconds(100)

    private let library: PhotoLibrary
    private let outbox: Outbox
    private let logger: Logger
    private let news = Wakeup()
    private let pause = Pause()
    private var refusals = Backoff(.packIndex)
    private var missingRoom = Backoff(.packArchive)
    private var settings: PackSettings
    /// What the last `pack.json` of each pack said, by pack name.
    private var written: [ExactName: (head: PackIndexFile.Head, digest: String)] = [:]
    /// SHA-256 of each pack's page.
    private var pages: [ExactName: String] = [:]
    /// When an archive may be written again.
    private var nextArchive = ContinuousClock.now
    private var nextWrite = ContinuousClock.now
    /// Packs whose last index the outbox refused: that is told once.
    private var refused: Set<ExactName> = []
    /// Packs whose archive found no room on the disk: that is told once.
    private var withoutRoom: Set<ExactName> = []
    /// Packs that come up again when their archive may be written.
    private var awaited: Set<ExactName> = []

    /// - Parameter outbox: one of its own, whose thread no sticker waits for.
    package init(library: PhotoLibrary, outbox: Outbox, settings: PackSettings, logger: Logger) {
        self.library = library
        self.outbox = outbox
        self.settings = settings
        self.logger = logger
    }

    /// Something in the Library may have changed.
    package nonisolated func wake() { news.ring() }

    /// Has `run` write every pack up anew, unless nothing has changed.
    ///
    /// - Throws: what the Library throws.
    package func update(_ settings: PackSettings) async throws {
        guard settings != self.settings else { return }
        self.settings = settings
        try await lookAtAll()
    }

    /// What lies in the outbox may have been changed by others: `run` looks at it and puts it right.
    package func lookAgain() async throws {
        written = [:]
        pages = [:]
        try await lookAtAll()
    }

    /// Has `run` write once more, so that the last photo is in, and return.
    package nonisolated func stop() {
        news.finish()
        pause.end()
    }

    /// Writes what is missing or out of date in any pack, then the packs with news each time it is woken, until
    /// `stop()`. What the outbox's disk refuses is tried again later.
    ///
    /// - Throws: what the Library throws.
    package func run() async throws {
        try await lookAtAll()
        for await _ in news {
            try await rest()
            if try await writeNews() { continue }
            // The other packs do not wait. No effect after `stop`.
            let wait = refusals.next()
            Task { [news] in
                try? await Task.sleep(for: wait)
                news.ring()
            }
        }
        _ = try await writeNews()
    }

    /// Only `run` writes: two writers would give one revision to two indexes.
    private func lookAtAll() async throws {
        try await library.adoptPalettes(PaletteFiles.identity(settings))
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
            await pause.sleep(for: min(wait, Self.look))
        }
    }

    /// False where the outbox refused any of them, which then count as changed again.
    private func writeNews() async throws -> Bool {
        let start = ContinuousClock.now
        let changed = library.takeChangedPacks()
        var rest = changed
        defer { library.giveBack(changedPacks: rest) }
        for pack in rest.sorted() {
            do {
                try await write(pack: pack.text)
                rest.remove(pack)
                refused.remove(pack)
            } catch let error as OutboxError where error.isAway {
                // The Processor tells of it.
                break
            } catch let error as OutboxError {
                guard refused.insert(pack).inserted else { continue }
                logger.error("A pack's index cannot be written; trying again", metadata: ["reason": "\(error)"])
            }
        }
        // Thousands of stickers leave a large heap behind; while idle it belongs to the kernel.
        if try await library.status().isDrained { FreedMemory.giveBack() }
        let time = start.duration(to: .now)
        logger.debug(
            "Wrote up what changed", metadata: ["packs": "\(changed.count)", "duration-usec": "\(time.microseconds)"])
        nextWrite = start.advanced(by: max(Self.minInterval, time * Self.restFactor))
        return rest.isEmpty
    }

    private func write(pack: String) async throws {
        // Asked for before the index is made: what is in it may not go.
        let withdrawn = try await library.withdrawnFiles(ofPack: pack)
        let folder = try await library.folder(ofPack: pack, candidates: OutboxName.packFolders(for: pack)) ?? ""
        let summary = try await library.summary(ofPack: pack, listed: PackIndex.maxListed)
        let description = settings.description(ofPack: pack, folder: folder)
        let index = PackIndexFile(description: description, summary: summary, colorCount: settings.colorCount)
        let head = try await write(index, pack: pack)
        try await writePage(pack, folder, description, summary, head)
        try await outbox.withdraw(withdrawn, fromPack: pack)
        try await library.forgetWithdrawn(withdrawn, ofPack: pack)
        tellOfWithdrawn(withdrawn, fromPack: pack)
        try await PaletteFiles(library: library, outbox: outbox, settings: settings).write(ofPack: pack)
        if summary.pendingCount == 0, try await writeArchive(ofPack: pack) {
            try await writePage(pack, folder, description, summary, head)
        }
    }

    /// One line however many went: a folder of thousands may have been emptied.
    private func tellOfWithdrawn(_ files: [String], fromPack pack: String) {
        // Thumbnails lie in a folder of their own.
        let stickers = files.filter { !$0.contains("/") }
        guard let sticker = stickers.first else { return }
        logger.notice(
            "Withdrew stickers from the pack",
            metadata: [
                "event": "\(JournalEvent.stickersWithdrawn.rawValue)", "pack": "\(pack)", "sticker": "\(sticker)",
                "stickers": "\(stickers.count)",
            ])
    }

    /// Returns the head that the pack's index has now.
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
        let last = if let known = pages[ExactName(pack)] { known } else { try await outbox.pageDigest(ofPack: pack) }
        pages[ExactName(pack)] = try await outbox.write(
            GalleryPage(contents, baseURL: settings.baseURL(ofFolder: folder, gallery)), pack: pack, unless: last)
    }

    /// From the root's page to the others, and back.
    private func links(from pack: String) async throws -> [GalleryContents.Link] {
        guard pack.isEmpty else { return [.init(name: settings.name, href: "../\(GalleryPage.fileName)")] }
        return try await library.packFolders().sorted { $0.key < $1.key }.map { name, folder in
            .init(name: name.text, href: "\(folder)/\(GalleryPage.fileName)")
        }
    }

    /// True where the archive is another one now.
    private func writeArchive(ofPack pack: String) async throws -> Bool {
        guard let limit = settings.gallery?.maxArchiveBytes, !pause.isEnded else { return false }
        let archive = try PackArchive(try await library.archivedStickers(ofPack: pack))
        guard archive.fits(into: limit) else { return try await outbox.removeArchive(ofPack: pack) }
        if try await outbox.has(archive, inPack: pack) { return false }
        let wait = ContinuousClock.now.duration(to: nextArchive)
        guard wait <= .zero else { return comeBack(to: pack, after: wait) }
        guard try await hasRoom(for: archive, ofPack: pack) else {
            return comeBack(to: pack, after: missingRoom.next())
        }
        let start = ContinuousClock.now
        try await outbox.publish(archive, inPack: pack)
        nextArchive = start.advanced(by: start.duration(to: .now) * Self.archiveRestFactor)
        return true
    }

    /// Beside the archive of before, which stays until the new one is there. Its page says what is in that one.
    private func hasRoom(for archive: PackArchive, ofPack pack: String) async throws -> Bool {
        do {
            try await outbox.requireRoom(settings.minFreeBytes + archive.size)
            withoutRoom.remove(ExactName(pack))
            return true
        } catch is ConditionError {
            guard withoutRoom.insert(ExactName(pack)).inserted else { return false }
            logger.warning(
                "There is no room for a pack's archive; it is written when there is",
                metadata: ["pack": "\(pack)", "needed-bytes": "\(archive.size)"])
            return false
        }
    }

    /// Has the pack written once more, later. Always false.
    private func comeBack(to pack: String, after wait: Duration) -> Bool {
        guard awaited.insert(ExactName(pack)).inserted else { return false }
        // No effect after `stop`.
        Task { [weak self] in
            try? await Task.sleep(for: wait)
            await self?.callUp(pack)
        }
        return false
    }

    private func callUp(_ pack: String) {
        awaited.remove(ExactName(pack))
        library.giveBack(changedPacks: [ExactName(pack)])
        news.ring()
    }
}
