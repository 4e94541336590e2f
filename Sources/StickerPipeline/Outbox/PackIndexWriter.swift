import Foundation
package import Logging
import PhotoColors
package import PhotoLibrary

/// Keeps every pack's `pack.json` up to date, derived from the Library, without slowing the pipeline: changes are
/// gathered, and writing takes a tenth of the time at most.
package actor PackIndexWriter {
    /// Who the packs are from; sub-packs are named after their folder.
    package struct Identity: Sendable, Equatable {
        package var name: String
        package var identifier: String
        package var publisher: String

        package init(name: String, identifier: String, publisher: String) {
            self.name = name
            self.identifier = identifier
            self.publisher = publisher
        }
    }

    /// Shortest time from one write to the next.
    private static let minInterval = Duration.milliseconds(200)
    /// The next write waits this many times as long as the last one took.
    private static let restFactor = 10
    /// Longest wait once the queue is empty.
    private static let maxDelayWhenDrained = Duration.milliseconds(700)
    /// How often a longer rest is interrupted to see whether the queue is empty.
    private static let look = Duration.milliseconds(100)
    /// Wait after the outbox refused an index.
    private static let troublePause = Duration.seconds(5)

    private let library: PhotoLibrary
    private let outbox: Outbox
    private let logger: Logger
    private let news = Wakeup()
    private let pause = Pause()
    private var identity: Identity
    private var written: [String: PackIndex] = [:]
    private var nextWrite = ContinuousClock.now
    /// Packs whose last index the outbox refused: that is told once.
    private var refused: Set<String> = []

    package init(library: PhotoLibrary, outbox: Outbox, identity: Identity, logger: Logger) {
        self.library = library
        self.outbox = outbox
        self.identity = identity
        self.logger = logger
    }

    /// Something in the Library may have changed.
    package nonisolated func wake() { news.ring() }

    package func update(_ identity: Identity) async throws {
        guard identity != self.identity else { return }
        self.identity = identity
        try await lookAtAll()
    }

    /// What lies in the outbox may have been changed by others: `run` looks at it and puts it right.
    package func lookAgain() async throws {
        written = [:]
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
            // The other packs do not wait; this rings at nobody once the writer has stopped.
            Task { [news] in
                try? await Task.sleep(for: Self.troublePause)
                news.ring()
            }
        }
        _ = try await writeNews()
    }

    /// Only `run` writes: two writers would give one revision to two indexes.
    private func lookAtAll() async throws {
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
        var rest = library.takeChangedPacks()
        defer { library.giveBack(changedPacks: rest) }
        for pack in rest.sorted() {
            do {
                try await write(pack: pack)
                try await withdrawFiles(ofPack: pack)
                rest.remove(pack)
                refused.remove(pack)
            } catch let error as OutboxError {
                guard refused.insert(pack).inserted else { continue }
                logger.error("pack.json cannot be written; trying again", metadata: ["reason": "\(error)"])
            }
        }
        nextWrite = start.advanced(by: max(Self.minInterval, start.duration(to: .now) * Self.restFactor))
        return rest.isEmpty
    }

    private func write(pack: String) async throws {
        let last: PackIndex? =
            if let known = written[pack] { known } else { try await outbox.index(ofPack: pack) }
        var index = try await compose(pack: pack)
        if let last, last.saysTheSame(as: index) {
            written[pack] = last
            return
        }
        index.revision = max(last?.revision ?? 0, try await library.revision(ofPack: pack)) + 1
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(index) + [UInt8(ascii: "\n")]
        try await outbox.publish([UInt8](data), named: PackIndex.fileName, inPack: pack)
        try await library.setRevision(index.revision, ofPack: pack)
        written[pack] = index
    }

    /// Only now that no index names them any more.
    private func withdrawFiles(ofPack pack: String) async throws {
        let names = try await library.withdrawnFiles(ofPack: pack)
        guard !names.isEmpty else { return }
        try await outbox.withdraw(names, fromPack: pack)
        try await library.forgetWithdrawn(names, ofPack: pack)
    }

    private func compose(pack: String) async throws -> PackIndex {
        let folder = try await library.folder(ofPack: pack, candidates: OutboxName.packFolders(for: pack)) ?? ""
        let contents = try await library.contents(ofPack: pack, listed: PackIndex.maxListed)
        let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return PackIndex(
            pack: .init(
                name: pack.isEmpty ? identity.name : pack,
                identifier: folder.isEmpty ? identity.identifier : "\(identity.identifier).\(folder)",
                publisher: identity.publisher),
            revision: 0,
            updated: Date.now.formatted(time),
            stickers: contents.stickers.map { entry in
                let sticker = entry.sticker
                return .init(
                    id: "sha256:\(sticker.photo)" + (sticker.ordinal > 0 ? "#\(sticker.ordinal + 1)" : ""),
                    file: sticker.file, width: sticker.width, height: sticker.height, bytes: sticker.bytes,
                    addedAt: sticker.added.formatted(time), confidence: sticker.confidence,
                    colors: entry.colors.colors)
            },
            pending: contents.pending.map { .init(name: $0.path.stem, reason: $0.reason) },
            failed: contents.failed.map { .init(name: $0.path.stem, reason: $0.reason) })
    }
}
