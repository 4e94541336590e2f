import Foundation
package import Logging
import PhotoColors
package import PhotoLibrary
import SystemPackage

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
    /// Wait after the outbox refused an index.
    private static let troublePause = Duration.seconds(5)
    /// Longest wait once the queue is empty.
    private static let maxDelayWhenDrained = Duration.milliseconds(800)

    private let library: PhotoLibrary
    private let outbox: Outbox
    private let logger: Logger
    private var identity: Identity
    private var written: [String: PackIndex] = [:]
    private var nextWrite = ContinuousClock.now

    package init(library: PhotoLibrary, outbox: Outbox, identity: Identity, logger: Logger) {
        self.library = library
        self.outbox = outbox
        self.identity = identity
        self.logger = logger
    }

    /// Writes what is missing or out of date in any pack: for the start, when nothing is known about the files.
    package func writeAll() async throws {
        try await write(packs: library.packNames())
    }

    package func update(_ identity: Identity) async throws {
        guard identity != self.identity else { return }
        self.identity = identity
        try await writeAll()
    }

    /// Writes the packs with news each time `changes` gives a sign, until it ends; then once more, so that the last
    /// photo is in. What the outbox's disk refuses is tried again later.
    ///
    /// - Throws: what the Library throws.
    package func run(changes: Wakeup) async throws {
        for await _ in changes {
            try await rest()
            do {
                try await writeNews()
            } catch let error as Errno {
                logger.error("pack.json cannot be written; trying again", metadata: ["reason": "\(error)"])
                nextWrite = .now.advanced(by: Self.troublePause)
                changes.ring()
            }
        }
        try await writeNews()
    }

    private func rest() async throws {
        let drained = try await library.status().isDrained
        let wait = ContinuousClock.now.duration(to: nextWrite)
        guard wait > .zero else { return }
        // A stop cuts the rest short; the write then happens at once.
        try? await Task.sleep(for: drained ? min(wait, Self.maxDelayWhenDrained) : wait)
    }

    private func writeNews() async throws {
        let packs = library.takeChangedPacks()
        do {
            try await write(packs: packs)
        } catch {
            library.giveBack(changedPacks: packs)
            throw error
        }
    }

    private func write(packs: Set<String>) async throws {
        let start = ContinuousClock.now
        for pack in packs.sorted() { try await write(pack: pack) }
        let took = start.duration(to: .now)
        nextWrite = start.advanced(by: max(Self.minInterval, took * Self.restFactor))
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
        let data = try encoder.encode(index)
        try await outbox.publish([UInt8](data), named: PackIndex.fileName, inPack: pack)
        try await library.setRevision(index.revision, ofPack: pack)
        written[pack] = index
    }

    private func compose(pack: String) async throws -> PackIndex {
        let contents = try await library.contents(ofPack: pack, listed: PackIndex.maxListed)
        let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return PackIndex(
            pack: .init(
                name: pack.isEmpty ? identity.name : pack,
                identifier: pack.isEmpty ? identity.identifier : "\(identity.identifier).\(OutboxName.sanitized(pack))",
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
