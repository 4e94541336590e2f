import Foundation
package import PhotoColors
import PhotoLibrary

/// The contents of `pack.json`, in the format of every release. It reveals neither the paths of the originals nor their
/// metadata. `PackIndexFile` writes it, `pack.schema.json` describes it.
package struct PackIndex: Sendable, Equatable {
    package struct Pack: Decodable, Sendable, Equatable {
        /// The root pack's is from the settings; the others' are what people read of their folders' names in the inbox.
        package var name: String
        /// From the settings; the other packs append a dot and their folder in the outbox.
        package var identifier: String
        package var publisher: String
        /// From the settings, for stickers that have none; nil in a file of an earlier release.
        package var emoji: [String]?
        /// The folder's name in the inbox, escaped, if it differs from `name`; nil for the root pack.
        package var inboxFolder: String?
    }

    package struct Sticker: Sendable, Equatable {
        /// `sha256:` and the photo's digest, followed by `#2` for the second sticker of a photo, and so on.
        package var id: String
        /// As in `StickerWords`, like the next two; nil in a file of an earlier release.
        package var name: String?
        package var text: String?
        package var emoji: [String]?
        /// Relative to the folder that `pack.json` is in.
        package var file: String
        /// A small WebP of it, also relative; nil for stickers of a release that made none, and while a lost one is
        /// remade.
        package var thumbnail: String?
        /// The sticker's size in pixels, then the length of its file.
        package var width: Int
        package var height: Int
        package var bytes: Int
        /// ISO 8601, UTC.
        package var addedAt: String
        /// 0…1, four decimals.
        package var confidence: Double
        /// Of the whole photo, heaviest first; none if unknown. The file adds each color's `ColorFacts`. nil in a file
        /// where they are missing or invalid, as the next two.
        package var colors: [SchemeColor]?
        /// Of the subject alone; none if unknown.
        package var subjectColors: [SchemeColor]?
        /// The suggested background, from the subject's colors if they are known: four from the top leading to the
        /// bottom trailing corner; none without colors.
        package var gradient: [HexColor]?
    }

    /// Some of a large pack's stickers, in a file of their own (see `PackPage`).
    package struct Page: Decodable, Sendable, Equatable {
        /// Relative to the folder that `pack.json` is in.
        package var file: String
        /// How many stickers it lists.
        package var count: Int
        /// Incremented with every change of the page.
        package var revision: Int
    }

    /// A sticker that a user removed for good.
    package struct Removed: Decodable, Sendable, Equatable {
        /// As a sticker's.
        package var id: String
        /// The name it had.
        package var file: String
    }

    /// A pending or failed photo, by its file's name, escaped.
    package struct Waiting: Decodable, Sendable, Equatable {
        package var name: String
        /// One line for a person, if any.
        package var reason: String?
    }

    package static let fileName = "pack.json"
    /// Version 1, of earlier releases, had neither `pages` nor `stickerCount`.
    package static let schemaVersion = 3
    /// The most pending or failed photos listed; `stickerd status` has the full counts.
    package static let maxListed = 1000

    package var schemaVersion: Int
    /// Incremented with every written change.
    package var revision: Int
    /// When this revision was written; ISO 8601, UTC.
    package var updated: String
    package var pack: Pack
    /// In order of arrival; none if the pack has pages.
    package var stickers: [Sticker]
    /// In order of arrival; nil if the pack has none.
    package var pages: [Page]?
    /// In `stickers` or in all pages; nil in a file of an earlier release.
    package var stickerCount: Int?
    /// In order of arrival, at most `maxListed` of each.
    package var pending: [Waiting]
    package var failed: [Waiting]
    /// So that a new Library knows them; nil if there are none.
    package var removed: [Removed]?
}

extension PackIndex: Decodable {
    private enum CodingKeys: String, CodingKey {
        case schemaVersion, revision, updated, pack, stickers, pages, stickerCount, pending, failed, removed
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        schemaVersion = try members.decode(Int.self, forKey: .schemaVersion)
        revision = try members.decode(Int.self, forKey: .revision)
        updated = try members.decode(String.self, forKey: .updated)
        pack = try members.decode(Pack.self, forKey: .pack)
        pages = try members.decodeIfPresent([Page].self, forKey: .pages)
        stickers = pages == nil ? try members.decode([Sticker].self, forKey: .stickers) : []
        stickerCount = try members.decodeIfPresent(Int.self, forKey: .stickerCount)
        pending = try members.decode([Waiting].self, forKey: .pending)
        failed = try members.decode([Waiting].self, forKey: .failed)
        removed = try members.decodeIfPresent([Removed].self, forKey: .removed)
    }
}

extension PackIndex.Sticker {
    /// - Parameter colorCount: the number of colors per photo.
    init(_ entry: PhotoLibrary.PackSticker, colorCount: Int) {
        let sticker = entry.sticker
        let scheme = entry.colors?.scheme(count: colorCount)
        id = sticker.identifier
        let words = StickerWords(of: sticker)
        name = words.name
        text = words.text
        emoji = words.emoji.map(\.text)
        file = sticker.file
        thumbnail = sticker.thumbnailFile
        width = sticker.width
        height = sticker.height
        bytes = sticker.bytes
        addedAt = sticker.added.formatted(.packTime)
        confidence = sticker.confidence
        colors = scheme?.colors ?? []
        let subject = entry.subjectColors?.scheme(count: colorCount)
        subjectColors = subject?.colors ?? []
        gradient = (subject ?? scheme)?.gradient ?? []
    }

    /// As the Library records it; nil if stickerd cannot have made such a sticker: others may have written the index.
    var listed: PhotoLibrary.ListedSticker? {
        guard OutboxName.isSticker(file), let (photo, ordinal) = PackIndex.photo(ofSticker: id),
            (1...Self.maxSide).contains(width), (1...Self.maxSide).contains(height), (0...1).contains(confidence)
        else { return nil }
        return .init(photo: photo, ordinal: ordinal, file: file, width: width, height: height, bytes: bytes)
    }

    /// No sticker was ever larger.
    private static let maxSide = 1 << 14

    /// Whether colors and gradient could be read.
    package var isComplete: Bool { colors != nil && subjectColors != nil && gradient != nil }
}

extension PackIndex.Removed {
    /// As the Library records it; nil if `id` or `file` is invalid.
    var sticker: PhotoLibrary.RemovedSticker? {
        guard OutboxName.isSticker(file) else { return nil }
        return PackIndex.photo(ofSticker: id).map { .init(photo: $0.digest, ordinal: $0.ordinal, file: file) }
    }
}

extension PackIndex {
    fileprivate static func photo(ofSticker id: String) -> (digest: String, ordinal: Int)? {
        let parts = id.split(separator: "#", maxSplits: 1)
        guard let first = parts.first, first.hasPrefix("sha256:") else { return nil }
        let digest = first.dropFirst("sha256:".count)
        guard digest.utf8.count == 64, digest.utf8.allSatisfy(Array("0123456789abcdef".utf8).contains) else {
            return nil
        }
        guard parts.count > 1 else { return (String(digest), 0) }
        return Int(parts[1]).flatMap { $0 > 1 ? (String(digest), $0 - 1) : nil }
    }
}

extension PackIndex.Sticker: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, name, text, emoji, file, thumbnail, width, height, bytes, addedAt, confidence, colors, subjectColors
        case gradient
    }

    /// Invalid colors and emoji are no error: they must not cost the sticker when the Library is rebuilt.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        text = try? members.decodeIfPresent(String.self, forKey: .text)
        emoji = try? members.decodeIfPresent([String].self, forKey: .emoji)
        file = try members.decode(String.self, forKey: .file)
        thumbnail = try members.decodeIfPresent(String.self, forKey: .thumbnail)
        width = try members.decode(Int.self, forKey: .width)
        height = try members.decode(Int.self, forKey: .height)
        bytes = try members.decode(Int.self, forKey: .bytes)
        addedAt = try members.decode(String.self, forKey: .addedAt)
        confidence = try members.decode(Double.self, forKey: .confidence)
        colors = try? members.decode([SchemeColor].self, forKey: .colors)
        subjectColors = try? members.decode([SchemeColor].self, forKey: .subjectColors)
        gradient = try? members.decode([HexColor].self, forKey: .gradient)
    }
}

extension StickerRecord {
    /// The identifier in `pack.json`.
    var identifier: String { PackIndex.identifier(ofPhoto: photo, ordinal) }

    /// Relative to the pack's folder.
    package var thumbnailFile: String? { thumbnail.map { "\(OutboxSubfolder.thumbnails.rawValue)/\($0)" } }
}

extension PackIndex {
    /// A sticker's identifier; its photo's stickers count from 0.
    static func identifier(ofPhoto photo: String, _ ordinal: Int) -> String {
        "sha256:\(photo)" + (ordinal > 0 ? "#\(ordinal + 1)" : "")
    }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
    /// ISO 8601 in UTC with milliseconds.
    static var packTime: Self { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }
}
