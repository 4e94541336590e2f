import FileNames
package import LinuxIO
import OutboxLayout
package import PackFacts
import Packs
package import SystemPackage
import Systemd

extension Pack {
    /// How often a pack is read whose pages are replaced meanwhile.
    private static let tries = 4
    private static let pause = Duration.milliseconds(50)

    /// A pack as its files in the outbox say, which anyone with access to it may have changed, with texts for exports.
    ///
    /// - Throws: with kind `.notYet` if pages are being replaced; `.invalid` if there is no valid `pack.json`.
    package static func read(
        in folder: FilePath, clock: any MonotonicClock = ContinuousClock()
    ) async throws(ExportTrouble) -> Pack {
        let file = folder.appending(OutboxFile.index)
        for _ in 1...tries {
            do throws(StoredIndex.Failure) {
                let stored = try StoredIndex(in: folder)
                if stored.unreadable.isEmpty { return Pack(stored).plain }
            } catch {
                switch error.cause {
                case .permissionDenied: throw .refused(file, .permissionDenied)
                case .noSuchFileOrDirectory:
                    throw ExportTrouble(.refused(.noSuchFileOrDirectory), "\(file): is missing")
                default: throw ExportTrouble(.invalid, "\(file): is not an index of a pack")
                }
            }
            try? await clock.sleep(for: pause)
        }
        throw ExportTrouble(.notYet, "\(folder): pages of the index are missing or being replaced")
    }

    private init(_ stored: StoredIndex) {
        var files: Set<ExactName> = []
        // Two entries of one file would be one sticker with two names.
        let stickers = stored.stickers.filter {
            OutboxName.isFileName($0.file) && files.insert(ExactName($0.file)).inserted
        }
        self.init(stored.index.description, stickers: stickers)
    }

    /// The same with texts as exports take them: on one line, without control characters, of bounded length.
    var plain: Pack {
        Pack(
            .init(
                name: PlainText.listed(name), identifier: PlainText.listed(identifier),
                publisher: PlainText.listed(publisher), emoji: Emoji.listed(emoji)),
            stickers: stickers.map { sticker in
                var plain = sticker
                plain.id = PlainText.listed(sticker.id)
                plain.name = PlainText.listed(sticker.name)
                if plain.name.isEmpty { plain.name = FilePath(sticker.file).stem ?? sticker.file }
                plain.text = PlainText.listed(sticker.text)
                plain.emoji = Emoji.listed(sticker.emoji)
                return plain
            })
    }

    /// The pack without these stickers.
    func without(_ files: Set<String>) -> Pack {
        var pack = self
        pack.stickers.removeAll { files.contains($0.file) }
        return pack
    }
}

extension Emoji {
    fileprivate static func listed(_ texts: [String]) -> [String] {
        texts.prefix(maxListed).compactMap { Emoji($0)?.text }
    }
}

extension PlainText {
    /// The longest text about a sticker, in bytes; file names are shorter.
    private static let maxListedBytes = 1024

    fileprivate static func listed(_ text: String) -> String { escaped(text, limit: maxListedBytes) }
}
