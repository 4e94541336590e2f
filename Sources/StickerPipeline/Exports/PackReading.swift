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

    private init(_ stored: StoredIndex) {
        var files: Set<ExactName> = []
        let stickers = stored.stickers.compactMap { sticker -> ExportSticker? in
            // Two entries of one file would be one sticker with two names.
            guard OutboxName.isFileName(sticker.file), files.insert(ExactName(sticker.file)).inserted else {
                return nil
            }
            return ExportSticker(
                id: sticker.id, file: sticker.file, name: sticker.name ?? "", text: sticker.text ?? "",
                emoji: (sticker.emoji ?? []).prefix(Emoji.maxListed).compactMap { Emoji($0) },
                bytes: sticker.bytes, width: sticker.width, height: sticker.height, confidence: sticker.confidence)
        }
        pack = ExportPack(stored.index.pack, stickers)
    }
}

extension ExportPack {
    /// A pack as the Library has it.
    init(_ description: PackIndex.Pack, _ stickers: [StickerRecord]) {
        self.init(
            description,
            stickers.map { sticker in
                let words = StickerWords(of: sticker)
                return ExportSticker(
                    id: sticker.identifier, file: sticker.file, name: words.name, text: words.text, emoji: words.emoji,
                    bytes: sticker.bytes, width: sticker.width, height: sticker.height, confidence: sticker.confidence,
                    sha256: sticker.sha256)
            })
    }

    fileprivate init(_ description: PackIndex.Pack, _ stickers: [ExportSticker]) {
        self.init(
            name: PlainText.listed(description.name), identifier: PlainText.listed(description.identifier),
            publisher: PlainText.listed(description.publisher),
            emoji: (description.emoji ?? []).prefix(Emoji.maxListed).compactMap { Emoji($0)?.text }, stickers: stickers)
    }

    /// The pack without these stickers.
    func without(_ stickers: Set<String>) -> ExportPack {
        guard !stickers.isEmpty else { return self }
        return ExportPack(
            name: name, identifier: identifier, publisher: publisher, emoji: emoji,
            stickers: self.stickers.filter { !stickers.contains($0.file) })
    }
}

extension ExportSticker {
    fileprivate init(
        id: String, file: String, name: String, text: String, emoji: [Emoji], bytes: Int, width: Int, height: Int,
        confidence: Double, sha256: String? = nil
    ) {
        let name = PlainText.listed(name)
        // As in `pack.json`.
        let confidence = (confidence * 1e4).rounded() / 1e4
        self.init(
            id: PlainText.listed(id), file: file, name: name.isEmpty ? FilePath(file).stem ?? file : name,
            text: PlainText.listed(text), emoji: emoji.map(\.text),
            // A sticker that is drawn differently has another size, in pixels or bytes, for all practical purposes.
            digest: "\(bytes) \(width) \(height) \(confidence)", sha256: sha256,
            size: .init(width: width, height: height))
    }
}

extension PlainText {
    /// The longest text about a sticker, in bytes; file names are shorter.
    private static let maxListedBytes = 1024

    fileprivate static func listed(_ text: String) -> String { escaped(text, limit: maxListedBytes) }
}
