package import Conditions
import FileNames
package import LinuxIO
package import Logging
package import Outbox
import OutboxLayout
package import PackExports
import PackFacts
import PackLedger
package import Packs
package import PhotoLibrary
import Synchronization
package import SystemPackage

/// Keeps the exports of all packs up to date with the packs' indexes, on its own thread, because reading and writing
/// block. No error ends it: exports are the least urgent, and everything else works without them.
///
/// A pass over a pack takes time in proportion to the pack. What it writes is in proportion to the change, except for
/// lists of the whole pack and for archives, which are written as a whole and therefore have one set of stickers each.
package actor ExportKeeper: ThreadOwner {
    /// The most pictures made at once, so that a photo that arrives finds a worker soon.
    package static let maxPictures = 2
    /// After a pack's exports, the keeper rests this many times as long as it worked, but at most `maxRest`. The
    /// workers' time does not count.
    private static let restFactor = 4
    private static let maxRest = Duration.seconds(30)
    /// While photos of a pack wait, its exports are written this often at most: their archives are large.
    private static let growTime = Duration.seconds(60)
    /// How often all exports are compared with their files, which others may have deleted.
    private static let recheckTime = Duration.seconds(600)

    private let library: Library
    private let outbox: OutboxWriter
    private let publisher: Publisher
    private let maker: any PictureMaking
    private let known: [any PackExport]
    private var nextRecheck: ContinuousClock.Instant
    private let conditions: CurrentConditions
    private let logger: Logger
    package let thread: SerialThread
    private let news = Wakeup()
    private let clock: any MonotonicClock
    private let pause: Pause
    private let memory = PictureMemory()
    /// What others ask for. No caller waits for the thread, which may write for minutes.
    private let request: Mutex<Request>
    /// What `run` does; its `rechecks` are those that it has done.
    private var current: Request
    /// Packs whose folder this process has cleaned up.
    private var tidied: Set<String> = []
    /// The marks of packs whose exports lack what another try may add: that is tried when everything is compared again.
    private var provisional: [String: String] = [:]
    /// When the exports of a pack with waiting photos were skipped first.
    private var growing: [String: ContinuousClock.Instant] = [:]
    private var retries = Backoff()
    /// Rings when something is to be tried again. Only one: each would lead to the next.
    private var alarm: Task<Void, Never>?

    private struct Request {
        var exports: [any PackExport]
        var settings: PackSettings
        /// How often a comparison with the files was asked for.
        var rechecks = 0

        /// A digest of what the files depend on besides the pack's index.
        func identity() throws(Errno) -> String {
            let text =
                "\(ExportKeeper.revision) \(settings.description(ofPack: "", folder: "")) \(exports.map { "\($0)" })"
            return try ContentDigest.sha256(of: Array(text.utf8)).hex
        }
    }

    /// Increased when the same pack and settings give other files.
    private static let revision = 1

    /// - Parameters:
    ///   - known: all whose folders are stickerd's.
    ///   - settings: of the packs. With less room on the disk than they ask for, exports wait.
    /// - Throws: if no thread is available.
    package init(
        library: Library, outbox: OutboxWriter, maker: any PictureMaking,
        exports: [any PackExport], known: [any PackExport] = Exports.all, settings: PackSettings,
        conditions: CurrentConditions, logger: Logger
    ) throws(Errno) {
        thread = try SerialThread(name: "exports")
        self.library = library
        self.outbox = outbox
        publisher = Publisher(library: library, outbox: outbox)
        self.maker = maker
        current = Request(exports: exports, settings: settings)
        request = Mutex(current)
        self.known = known
        clock = conditions.clock
        pause = Pause(clock)
        nextRecheck = clock.now + Self.recheckTime
        self.conditions = conditions
        self.logger = logger
    }

    /// Wakes `run` to look for changed packs.
    package nonisolated func wake() { news.ring() }

    /// Makes `run` compare all exports with these, of other kinds or with other settings.
    package nonisolated func update(_ exports: [any PackExport], _ settings: PackSettings) {
        request.withLock { request in
            request.exports = exports
            request.settings = settings
        }
        recheck()
    }

    /// Makes `run` compare all exports with their files, which others may have changed.
    package nonisolated func recheck() {
        request.withLock { $0.rechecks += 1 }
        wake()
    }

    /// Takes requests, and finds the files that are not as they were written.
    private func takeRequest() async throws {
        let now = request.withLock { $0 }
        let isDue = nextRecheck <= clock.now
        guard now.rechecks != current.rechecks || isDue else { return }
        memory.forgetRefusals()
        provisional = [:]
        for pack in try await library.packNames() where !pause.isEnded {
            do {
                try await publisher.audit(pack: pack.text, reading: false, prefix: OutboxSubfolder.exports.prefix)
            } catch let error as OutboxError where !error.isAway {
                // Its own exports fail, too, and report it; the other packs' do not wait.
                logger.debug("Cannot compare exports", metadata: ["pack": "\(pack)", "reason": "\(error)"])
            }
        }
        current = now
        if isDue { nextRecheck = clock.now + Self.recheckTime }
    }

    /// Makes `run` return after the file that it writes.
    package nonisolated func stop() {
        news.finish()
        pause.end()
    }

    /// Writes what is missing or out of date, then what changed after each wake-up, until `stop()`.
    package func run() async {
        wake()
        for await _ in news {
            if pause.isEnded { return }
            let wait = await pass()
            alarm?.cancel()
            alarm = nil
            guard let wait else { continue }
            // No-op after `stop`.
            alarm = Task { [news, pause] in
                await pause.sleep(for: wait)
                if !Task.isCancelled { news.ring() }
            }
        }
    }

    /// Returns when to look again without a wake-up; nil if there is no need.
    private func pass() async -> Duration? {
        let (packs, identity): ([(pack: String, mark: String)], String)
        do {
            try await takeRequest()
            identity = try current.identity()
            packs = try await library.packsToExport(identity)
        } catch {
            logger.debug("Cannot look for changed packs", metadata: ["reason": "\(error)"])
            return retries.next()
        }
        var isComplete = true
        var soonest: Duration?
        for (pack, mark) in packs where provisional[pack] != mark {
            if pause.isEnded { return nil }
            switch await update(pack, identity) {
            case .upToDate: continue
            case .failed: isComplete = false
            case .later(let wait): soonest = min(soonest ?? wait, wait)
            }
        }
        if !isComplete {
            let retry = retries.next()
            soonest = min(soonest ?? retry, retry)
        } else if soonest == nil {
            retries = Backoff()
        }
        if current.exports.isEmpty { return soonest }
        let recheck = max(.zero, clock.now.duration(to: nextRecheck))
        return min(soonest ?? recheck, recheck)
    }

    private enum Result {
        case upToDate
        case failed
        case later(Duration)
    }

    private func update(_ pack: String, _ identity: String) async -> Result {
        let start = clock.now
        let (exports, settings) = (current.exports, current.settings)
        do {
            guard let contents = try await library.exportedPack(pack, identity, isWanted: !exports.isEmpty) else {
                return .upToDate
            }
            // A new or emptied pack has no exports. That needs no report.
            let wanted = contents.stickers.isEmpty ? [] : exports
            if !wanted.isEmpty, contents.isGrowing, let wait = wait(for: pack) { return .later(wait) }
            growing[pack] = nil
            // If this pass does not complete, it may still have changed or removed what an earlier one wrote, to whose
            // settings the user may return.
            try await library.record(exported: "", ofPack: pack)
            let folder = try await outbox.inFolder(ofPack: pack) { folder throws(Errno) in folder }
            let exporter = PackExporter(
                exports: wanted, known: known, maker: maker, memory: memory,
                ledger: (library, pack), places: Self.maxPictures,
                room: ExportRoom(folder: folder.path, minFreeBytes: settings.minFreeBytes), logger: logger,
                isStopping: { [pause] in pause.isEnded })
            var outcome = PackExporter.Outcome()
            if wanted.isEmpty {
                try await exporter.removeAll(in: folder)
            } else {
                let shown = Pack(
                    settings.description(ofPack: pack, folder: contents.folder),
                    stickers: contents.stickers.map { PackEntry($0) }
                ).plain
                do {
                    try await outbox.requireRoom(settings.minFreeBytes)
                } catch let error as ConditionError {
                    try await exporter.withdraw(shown, in: folder, because: Self.waiting)
                    throw error
                }
                let isFirst = tidied.insert(pack).inserted
                outcome = try await exporter.update(shown, in: folder, isFirst: isFirst)
            }
            try await library.record(withheld: outcome.withheld, ofPack: pack)
            let isComplete = outcome.troubles.isEmpty && !outcome.isIncomplete
            provisional[pack] = isComplete && outcome.isProvisional ? contents.mark : nil
            if isComplete, !outcome.isProvisional {
                try await library.record(exported: contents.mark, ofPack: pack)
            }
            let work = start.duration(to: clock.now) - outcome.waited
            await pause.sleep(for: min(work * Self.restFactor, Self.maxRest))
            // A sticker that changes meanwhile, as in a remake, is replaced at the next try.
            let troubles = outcome.troubles.filter { $0.kind != .changing }
            if !troubles.isEmpty {
                report(troubles.map(\.description), pack)
            } else if outcome.troubles.isEmpty {
                conditions.end(.exports(ofPack: ExactName(pack)))
            }
            return isComplete ? .upToDate : .failed
        } catch let error as ExportTrouble {
            switch error.kind {
            case .stopped: return .upToDate
            case .notYet, .changing:
                logger.debug("Exports wait", metadata: ["pack": "\(pack)", "reason": "\(error)"])
            default: report([error.description], pack)
            }
            return .failed
        } catch let error as ConditionError {
            report([error.reason], pack)
            return .failed
        } catch {
            // The Processor and the PackWriter report what concerns the outbox and the Library.
            logger.debug("Exports wait", metadata: ["pack": "\(pack)", "reason": "\(error)"])
            return .failed
        }
    }

    /// For pages, which may be public: the condition's own reason has the outbox's path.
    private static let waiting = "Exports wait until the outbox can be written and its disk has room."

    private func report(_ reasons: [String], _ pack: String) {
        conditions.begin(.exports(ofPack: ExactName(pack)), because: reasons.joined(separator: "; "))
    }

    /// How long to wait for a growing pack; nil if it has waited long enough.
    private func wait(for pack: String) -> Duration? {
        let first = growing[pack] ?? clock.now
        growing[pack] = first
        let wait = clock.now.duration(to: first.advanced(by: Self.growTime))
        return wait > .zero ? wait : nil
    }
}
