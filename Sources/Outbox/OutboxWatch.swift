import FileNames
package import LinuxIO
package import Logging
import OutboxLayout
import PackLedger
package import PhotoLibrary
package import SystemPackage

/// Notices that other programs deleted files or changed stickers, and has them made again. Until then, the index does
/// not list such a sticker.
///
/// It runs on its own thread, which blocks in poll(2). On file systems that report no events, the next start finds what
/// is missing.
package actor OutboxWatch: ThreadOwner {
    /// How long deletions are gathered: a user may delete thousands of files at once.
    private static let gathering = Duration.milliseconds(300)
    /// The time between two tries to watch an outbox that is unavailable, and to look at a sticker whose photo is
    /// worked on.
    private static let retry = Duration.seconds(5)
    private static let watched: InotifyEvent.Mask = [
        .created, .closedAfterWriting, .movedIn, .movedAway, .deleted, .folderDeleted, .folderMoved,
    ]

    /// A folder of the outbox that is watched.
    private struct Place: Hashable {
        /// The pack's folder, relative to the outbox; '' for the root pack.
        let pack: String
        /// The subfolder of that folder; nil for the folder itself.
        var subfolder: OutboxSubfolder?

        var path: String {
            let name = subfolder?.rawValue ?? ""
            return pack.isEmpty || name.isEmpty ? pack + name : "\(pack)/\(name)"
        }
    }

    private let folder: FilePath
    private let library: Library
    private let outbox: OutboxWriter
    private let clock: any MonotonicClock
    private let logger: Logger
    private let inotify: Inotify
    package let thread: SerialThread
    private var places: [Int32: Place] = [:]
    /// Files that were removed or renamed, and stickers that were written.
    private var touched: [Place: Set<ExactName>] = [:]
    /// When the files in `touched` are looked at.
    private var due: ContinuousClock.Instant?
    /// Whether a whole folder was removed or moved away.
    private var hasLostFolder = false
    private var isWatching = false
    /// The outbox when its watch began.
    private var watchedFolder: DirectoryIdentity?
    /// Folders that cannot be watched, perhaps because of a limit that an administrator can raise.
    private var refused: Set<Place> = []
    private var isRefusalLogged = false

    /// - Throws: if no descriptor or thread is available.
    package init(outbox: OutboxWriter, library: Library, clock: any MonotonicClock, logger: Logger) throws(Errno) {
        self.clock = clock
        inotify = try Inotify()
        thread = try SerialThread(name: "outbox-watch")
        folder = outbox.folder
        self.outbox = outbox
        self.library = library
        self.logger = logger
    }

    /// Watches until the task is cancelled.
    ///
    /// - Parameters:
    ///   - incomplete: called if any file may be missing: when a folder was removed, and when the outbox can be watched
    ///     again after a pause.
    ///   - hasLost: called after photos were requeued, or other files were found missing, or if the outbox is
    ///     unavailable.
    /// - Throws: errors of the Library, or `Errno` if poll(2) fails.
    package func run(incomplete: @Sendable () async throws -> Void, hasLost: @Sendable () -> Void) async throws {
        let inotify = inotify
        try await withTaskCancellationHandler {
            var isFirst = true
            while !Task.isCancelled {
                if !isWatching {
                    let isThere = await isThere()
                    isWatching = isThere && watchAll()
                    if isWatching, !isFirst { try await incomplete() }
                    // The Processor logs that it is unavailable.
                    if !isThere { hasLost() }
                    isFirst = false
                }
                if isWatching, refused.isEmpty, isRefusalLogged {
                    isRefusalLogged = false
                    logger.notice("The whole outbox is watched again")
                }
                let next = isWatching ? due : clock.now + Self.retry
                handle(try next.map { try clock.next(of: inotify, until: $0) } ?? inotify.next(timeout: nil))
                // Watches stay with the folder below a mount point.
                if inotify.takeMountsChanged(), isWatching, (try? DirectoryIdentity(of: folder)) != watchedFolder {
                    unwatchAll()
                }
                guard let time = due, time <= clock.now, !Task.isCancelled else { continue }
                due = nil
                watchRefused()
                if try await check() { hasLost() }
                guard hasLostFolder else { continue }
                hasLostFolder = false
                try await incomplete()
            }
        } onCancel: {
            inotify.wake()
        }
    }

    private func handle(_ events: [InotifyEvent]) {
        for event in events {
            if event.mask.contains(.overflow) {
                // Watching again checks all files.
                unwatchAll()
                continue
            }
            guard let place = places[event.watch] else { continue }
            if event.name.isEmpty {
                handle(event.mask, about: place, event.watch)
            } else if event.mask.contains(.isFolder) {
                if !event.mask.isDisjoint(with: [.created, .movedIn]) {
                    found(event.name, in: place)
                } else {
                    // Its watch may not have reported its files.
                    hasLostFolder = true
                    due = due ?? clock.now + Self.gathering
                }
            } else if !AtomicFile.isTemporary(event.name) {
                let name = ExactName(String(decoding: event.name, as: UTF8.self))
                let isLost = !event.mask.isDisjoint(with: [.deleted, .movedAway])
                // By this process, too: the file then has the size and time that its row has by the time it is due.
                guard isLost || place.subfolder == nil && OutboxName.isSticker(name.text) else { continue }
                touched[place, default: []].insert(name)
                due = due ?? clock.now + Self.gathering
            }
        }
    }

    private func handle(_ mask: InotifyEvent.Mask, about place: Place, _ watch: Int32) {
        let ends: InotifyEvent.Mask = [.folderDeleted, .folderMoved, .unmounted, .watchEnded]
        guard !mask.isDisjoint(with: ends) else { return }
        if place.path.isEmpty { return unwatchAll() }
        // The parent's watch reports the folder if it returns.
        if mask.contains(.watchEnded) { places[watch] = nil } else { inotify.unwatch(watch) }
    }

    private func unwatchAll() {
        for watch in places.keys { inotify.unwatch(watch) }
        (places, refused) = ([:], [])
        isWatching = false
    }

    /// Whether the outbox is available. When it is again, all files may be missing: a person may have accepted another
    /// folder.
    private func isThere() async -> Bool { (try? await outbox.open()) != nil }

    /// Returns false if the outbox cannot be watched.
    private func watchAll() -> Bool {
        // Read first: a mount in between makes another watch necessary.
        watchedFolder = try? DirectoryIdentity(of: folder)
        refused = []
        guard watch(Place(pack: "")) else { return false }
        guard let root = try? OwnedDescriptor(opening: folder, options: .directory),
            var scan = try? DirectoryScan(of: root.raw)
        else { return true }
        while let entry = try? scan.next() {
            if entry.kind == .folder { found(entry.name, in: Place(pack: "")) }
        }
        return true
    }

    private static let watchedSubfolders: [OutboxSubfolder] = [.thumbnails, .pages, .palettes]

    /// Watches a new folder, if it is a pack's or one of `watchedSubfolders`.
    private func found(_ name: [UInt8], in place: Place) {
        guard place.subfolder == nil else { return }
        let name = String(decoding: name, as: UTF8.self)
        if let subfolder = OutboxSubfolder(rawValue: name) {
            guard Self.watchedSubfolders.contains(subfolder) else { return }
            _ = watch(Place(pack: place.pack, subfolder: subfolder))
        } else if place.pack.isEmpty {
            _ = watch(Place(pack: name))
            for subfolder in Self.watchedSubfolders { _ = watch(Place(pack: name, subfolder: subfolder)) }
        }
    }

    private func watch(_ place: Place) -> Bool {
        do throws(Errno) {
            // The outbox may be a symbolic link; the dot follows it.
            let path = place.path.isEmpty ? folder : folder.appending(place.path)
            places[try inotify.watch(path.appending("."), for: Self.watched)] = place
            return true
        } catch {
            if error == .noSuchFileOrDirectory || error == .notDirectory { return false }
            refused.insert(place)
            due = due ?? clock.now + Self.retry
            if !isRefusalLogged {
                isRefusalLogged = true
                logger.warning(
                    "Cannot watch the outbox; deleted and changed stickers are noticed when it can be watched again",
                    metadata: ["folder": "\(path(of: place))", "reason": "\(error)"])
            }
            return false
        }
    }

    private func watchRefused() {
        let again = refused
        refused = []
        for place in again where watch(place) { hasLostFolder = true }
    }

    private nonisolated func path(of place: Place) -> FilePath { folder.appending(place.path) }

    /// Requeues the photos of stickers and thumbnails that are missing, and of stickers that were changed, and records
    /// the loss of other files. Returns whether anything changed.
    private func check() async throws -> Bool {
        let touched = touched
        self.touched = [:]
        // A deleted marker is written again. If the outbox is not recognized without it, all files are looked for when
        // it is.
        guard await isThere() else {
            unwatchAll()
            return false
        }
        var hasChanged = false
        for (place, names) in touched {
            guard let pack = try await library.packState(inFolder: place.pack)?.name else { continue }
            do {
                if try await check(names, of: place, pack) { hasChanged = true }
            } catch let error as OutboxError {
                // The Processor meets an unavailable outbox, too, and logs it.
                if !error.isAway { logger.error("Cannot read a pack's folder", metadata: ["reason": "\(error)"]) }
            }
        }
        return hasChanged
    }

    private func check(_ names: Set<ExactName>, of place: Place, _ pack: String) async throws -> Bool {
        let prefix = place.subfolder.map(\.prefix) ?? ""
        let publisher = Publisher(library: library, outbox: outbox)
        let hasLost = try await publisher.audit(Set(names.map { ExactName(prefix + $0.text) }), inPack: pack)
        switch place.subfolder {
        case nil:
            let losses = try await outbox.remakeLost(ofPack: pack, among: names)
            losses.log(ofPack: pack, logger)
            if !losses.unsettled.isEmpty {
                touched[place, default: []].formUnion(losses.unsettled)
                due = due ?? clock.now + Self.retry
            }
            return hasLost || losses.remade + losses.lost > 0
        case .thumbnails:
            let published = try await library.publishedThumbnails(ofPack: pack, among: names)
            let missing = try await outbox.missing(published, inPack: pack, .thumbnails)
            guard !missing.isEmpty else { return false }
            return try await library.remake(thumbnails: missing, inPack: pack) > 0
        default: return hasLost
        }
    }
}
