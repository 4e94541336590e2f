package import Conditions
import FileNames
import LinuxIO
package import Logging
package import Outbox
package import PackLedger
package import PhotoLibrary
import Synchronization

/// Keeps each pack's derived files up to date with the Library: `pack.json` after its pages, then the gallery's page,
/// the palettes and the ZIP. The ZIP of a pack with up to 32 MiB of stickers is written before the gallery's page. The
/// list of packs is last.
///
/// To keep the pipeline fast, it coalesces changes, and writes for at most a tenth of the time.
package actor PackWriter {
    /// The ZIP of a pack with stickers of up to this many bytes is written before the gallery's page, which then has
    /// its size at once.
    static let maxQuickArchive = 32 << 20
    /// Freed heap is returned to the kernel after this much writing. After each write for one more sticker, that would
    /// take a twentieth of its processor time, because the next write needs the memory again.
    private static let trimInterval = Duration.milliseconds(100)

    let library: Library
    let outbox: OutboxWriter
    private let pageSizes: PageSizes
    private let conditions: CurrentConditions
    let logger: Logger
    private let hasWritten: @Sendable () -> Void
    private let news = Wakeup()
    private let queueNews = Wakeup()
    private let pause: Pause
    /// What other tasks want of the next write. They do not wait for this actor, whose thread copies ZIPs for seconds,
    /// or is blocked by a disk that does not answer.
    private let requests = Mutex((settings: PackSettings?.none, rechecksAll: false, resyncs: false))
    /// When it stops, whatever is left to write.
    private let end = Mutex(ContinuousClock.Instant?.none)
    private var refusals = Backoff(.packIndex)
    private(set) var settings: PackSettings
    /// How often `recheck` was called.
    private var checks = 0
    /// The value of `checks` at which each pack's index pages were compared with the Library.
    private var checkedPages: [ExactName: Int] = [:]
    let publisher: Publisher
    private let archives: ArchiveWriter
    private let keys: Resync
    private var rhythm: WriteRhythm
    /// How long it has written since it last returned freed heap to the kernel. The start leaves some to return, too.
    private var untrimmed = PackWriter.trimInterval
    var indexLines = LineCache()
    var pageLines = LineCache()
    /// Packs to be written again when their ZIP may be, one after the other.
    private var awaiting: Set<ExactName> = []
    private var isAwaiting = false
    /// Packs to be written again when the disk may have room for their ZIP.
    private var withoutRoom: Set<ExactName> = []

    // That of its outbox, which owns the thread and which this actor owns. Most steps of a write call the outbox, and a
    // change of thread costs more than many of them.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe outbox.unownedExecutor }

    /// - Parameters:
    ///   - outbox: its own, so that no sticker waits for its thread.
    ///   - hasWritten: called after each write of changed packs; must not block.
    package init(
        library: Library, outbox: OutboxWriter, settings: PackSettings, conditions: CurrentConditions,
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
        keys = Resync(library: library, logger: logger)
        rhythm = WriteRhythm(library: library, pause: pause, queueNews: queueNews)
        publisher = Publisher(library: library, outbox: outbox)
        archives = ArchiveWriter(library: library, outbox: outbox, conditions: conditions, logger: logger)
    }

    /// Wakes `run` to check the Library for changes.
    package nonisolated func wake() {
        news.ring()
        queueNews.ring()
    }

    /// Makes `run` write every pack again if a setting has changed.
    package nonisolated func update(_ settings: PackSettings) {
        requests.withLock { $0.settings = settings }
        wake()
    }

    /// Makes `run` read the outbox's files, which others may have changed, and correct them.
    package nonisolated func recheck() {
        requests.withLock { $0.rechecksAll = true }
        wake()
    }

    /// Makes `run` compare all pages and palettes with the ledger as soon as no photo is waiting (`Resync`). Call it
    /// once a day.
    package nonisolated func resync() {
        requests.withLock { $0.resyncs = true }
        wake()
    }

    /// Makes `run` write once more, so that the last photo is listed, and return.
    ///
    /// - Parameter limit: how long it may write; the next start writes the other packs. nil for no limit.
    package nonisolated func stop(within limit: Duration? = nil) {
        end.withLock { $0 = limit.map { conditions.clock.now + $0 } }
        news.finish()
        pause.end()
        queueNews.ring()
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
            guard try await writeChanges() else {
                // The other packs do not wait.
                news.ring(after: refusals.next(), of: conditions.clock)
                continue
            }
            try await keys.run(pages, palettes) { try await pause.isEnded ? false : library.status().isDrained }
            // What is listed now may leave another pack.
            if library.hasChangedPacks { wake() }
        }
        while try await writeChanges(), library.hasChangedPacks {}
    }

    /// Leaves the writing to `run`: two writers could give two indexes the same revision.
    private func markAllChanged() async throws {
        try await library.adoptPalettes(PaletteFiles.identity(settings))
        try await library.adoptPages(IndexPages.identity(settings))
        library.giveBack(changedPacks: try await library.packNames())
    }

    private func takeRequests() async throws {
        let new = requests.withLock { requests in
            defer { requests = (nil, false, false) }
            return requests
        }
        let hasNewSettings = new.settings.map { $0 != settings } ?? false
        if let settings = new.settings { self.settings = settings }
        if hasNewSettings { indexLines = LineCache() }
        if new.rechecksAll { checks += 1 }
        if new.resyncs { try await keys.request() }
        if hasNewSettings || new.rechecksAll { try await markAllChanged() }
    }

    /// Returns false if the outbox refused a pack, which then counts as changed again.
    private func writeChanges() async throws -> Bool {
        let start = conditions.clock.now
        try await takeRequests()
        let changed = library.takeChangedPacks()
        let root = ExactName("")
        var rest = changed
        defer { library.giveBack(changedPacks: rest) }
        let navigation = NavigationFile(library: library, publisher: publisher, settings: settings)
        // The root pack's write removes it.
        if settings.gallery == nil { try await navigation.write() }
        for pack in rest.sorted() {
            if let end = end.withLock(\.self), conditions.clock.now > end { break }
            do {
                try await write(pack: pack.text)
                rest.remove(pack)
                if pack != root { conditions.end(.index(ofPack: pack)) }
            } catch let error as OutboxError where error.isAway {
                // The Processor reports it.
                break
            } catch let error as OutboxError {
                conditions.begin(.index(ofPack: pack), because: "\(error)")
            }
        }
        do {
            // After the pages that it links to.
            if settings.gallery != nil { try await navigation.write() }
            if !rest.contains(root) { conditions.end(.index(ofPack: root)) }
        } catch let error as OutboxError {
            // The list is a file of the root pack, which may be up to date.
            if rest.insert(root).inserted, !error.isAway { conditions.begin(.index(ofPack: root), because: "\(error)") }
        }
        let time = start.duration(to: conditions.clock.now)
        untrimmed += time
        // Return freed heap to the kernel while idle: thousands of stickers leave a large one.
        if untrimmed >= Self.trimInterval, try await library.status().isDrained {
            FreedMemory.giveBack()
            untrimmed = .zero
        }
        logger.debug(
            "Updated pack files",
            metadata: ["packs": "\(changed.count)", "duration-usec": "\(Int(time / .microseconds(1)))"])
        rhythm.wrote(from: start, during: time)
        writeNextArchive()
        hasWritten()
        return rest.isEmpty
    }

    var pages: IndexPages {
        IndexPages(
            library: library, publisher: publisher, colorCount: settings.colorCount, sizes: pageSizes,
            hasScripts: settings.gallery != nil)
    }

    var palettes: PaletteFiles { PaletteFiles(library: library, publisher: publisher, settings: settings) }

    /// Finds files of a pack that are not as they were written, once after each `recheck`.
    func audit(_ pack: String) async throws {
        let check = checks
        guard checkedPages[ExactName(pack)] != check else { return }
        // At the start, sizes and times are enough.
        try await publisher.audit(pack: pack, reading: check > 0)
        if check > 0 {
            let remains = try OutboxWriter.remains(in: try await outbox.path(ofPack: pack))
            try await library.recordRemains(remains, ofPack: pack)
        }
        checkedPages[ExactName(pack)] = check
    }

    /// Writes the pack's ZIP if no photo is pending. Returns the pack's ZIPs, one or none; nil if nothing has changed.
    func writeArchive(
        ofPack pack: String, _ summary: Library.PackSummary, _ former: LedgerEntry?
    ) async throws -> [LedgerEntry]? {
        guard summary.pendingCount == 0 else { return nil }
        awaiting.remove(ExactName(pack))
        switch try await archives.write(ofPack: pack, summary, former, settings: pause.isEnded ? nil : settings) {
        case .unchanged: return nil
        case .later:
            awaiting.insert(ExactName(pack))
            return nil
        case .withoutRoom(let wait):
            writeAgain(pack, after: wait)
            return nil
        case .changed(let entry): return entry.map { [$0] } ?? []
        }
    }

    /// Makes `run` write the pack again after `wait`.
    private func writeAgain(_ pack: String, after wait: Duration) {
        guard withoutRoom.insert(ExactName(pack)).inserted else { return }
        Task {
            // `stop` ends the wait.
            await pause.sleep(for: wait)
            withoutRoom.remove(ExactName(pack))
            library.giveBack(changedPacks: [ExactName(pack)])
            news.ring()
        }
    }

    /// Makes `run` write one of the packs whose ZIP waits for its turn, when that may be written. The others stay: to
    /// write them would compare all their files for nothing.
    private func writeNextArchive() {
        guard !isAwaiting, !awaiting.isEmpty else { return }
        isAwaiting = true
        Task {
            await pause.sleep(for: archives.wait)
            isAwaiting = false
            guard !pause.isEnded, let pack = awaiting.popFirst() else { return }
            library.giveBack(changedPacks: [pack])
            news.ring()
        }
    }
}
