import Foundation
package import LinuxIO
package import PackExports
import PhotoLibrary
package import SystemPackage
import Systemd

/// A pack as its files in the outbox say, which anyone with access to it may have changed.
package struct PackReading: Sendable {
    package let pack: ExportPack

    /// How often a pack is read whose pages are replaced meanwhile.
    private static let tries = 4
    private static let pause = Duration.milliseconds(50)
    /// The longest text about a sticker, in bytes; file names are shorter.
    private static let maxTextBytes = 1024

    /// - Parameters:
    ///   - folder: the pack's.
    ///   - clock: for the pause between two tries.
    /// - Throws: with kind `.notYet` if pages are being replaced; `.invalid` if there is no valid `pack.json`.
    package static func read(
        in folder: FilePath, clock: any MonotonicClock = ContinuousClock()
    ) async throws(ExportTrouble) -> PackReading {
        let file = folder.appending(PackIndex.fileName)
        for _ in 1...tries {
            do throws(StoredIndex.Failure) {
                let stored = try StoredIndex(in: folder)
                if stored.unreadable.isEmpty { return PackReading(stored) }
            } catch {
                switch error.problem {
                case .missing: throw ExportTrouble(.refused(.noSuchFileOrDirectory), "\(file): is missing")
                case .invalid: throw ExportTrouble(.invalid, "\(file): is not an index of a pack")
                }
            }
            try? await clock.sleep(for: pause)
        }
        throw ExportTrouble(.notYet, "\(folder): pages of the index are missing or being replaced")
    }

    /// Whether photos of the pack wait, so that it will change soon. Reads no pages.
    ///
    /// - Throws: as `read`.
    static func isGrowing(in folder: FilePath) throws(ExportTrouble) -> Bool {
        let file = folder.appending(PackIndex.fileName)
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try RegularFile.contents(of: file, upTo: StoredIndex.maxBytes)
        } catch {
            throw .refused(file, error)
        }
        guard let head = try? JSONDecoder().decode(Head.self, from: Data(bytes)) else {
            throw ExportTrouble(.invalid, "\(file): is not an index of a pack")
        }
        return !head.pending.isEmpty
    }

    /// Of `pack.json`, without the stickers.
    private struct Head: Decodable {
        struct Photo: Decodable {}

        let pending: [Photo]
    }

    private init(_ stored: StoredIndex) {
        let index = stored.index
        var files: Set<ExactName> = []
        let stickers = stored.stickers.compactMap { sticker -> ExportSticker? in
            // Two entries of one file would be one sticker with two names.
            guard OutboxName.isFileName(sticker.file), files.insert(ExactName(sticker.file)).inserted else {
                return nil
            }
            let name = Self.plain(sticker.name ?? "")
            return ExportSticker(
                id: Self.plain(sticker.id), file: sticker.file,
                name: name.isEmpty ? FilePath(sticker.file).stem ?? sticker.file : name,
                text: Self.plain(sticker.text ?? ""), emoji: Self.emoji(sticker.emoji),
                // A sticker that is drawn differently has another size, in pixels or bytes, for all practical purposes.
                digest: "\(sticker.bytes) \(sticker.width) \(sticker.height) \(sticker.confidence)",
                size: .init(width: sticker.width, height: sticker.height))
        }
        pack = ExportPack(
            name: Self.plain(index.pack.name), identifier: Self.plain(index.pack.identifier),
            publisher: Self.plain(index.pack.publisher), emoji: Self.emoji(index.pack.emoji), stickers: stickers)
    }

    private static func plain(_ text: String) -> String { PlainText.escaped(text, limit: maxTextBytes) }

    private static func emoji(_ list: [String]?) -> [String] {
        (list ?? []).prefix(Emoji.maxListed).compactMap { Emoji($0)?.text }
    }
}

extension ExportPack {
    /// The pack without these stickers.
    func without(_ stickers: Set<String>) -> ExportPack {
        guard !stickers.isEmpty else { return self }
        return ExportPack(
            name: name, identifier: identifier, publisher: publisher, emoji: emoji,
            stickers: self.stickers.filter { !stickers.contains($0.file) })
    }
}
