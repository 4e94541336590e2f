package import Foundation
package import PhotoColors

/// What the world knows of a published sticker: what indexes, the gallery's page and exports say of it. Texts are
/// untrusted: each format escapes them in its own way.
package struct PackEntry: Sendable, Hashable {
    /// `sha256:` and the photo's digest, followed by `#2` for the second sticker of a photo, and so on. The same in
    /// every revision: an open page uses it to keep its reader's place.
    package var id: String
    /// What people read; not empty, except in a file of an early release.
    package var name: String
    /// Its words, for screen readers and messengers; may be empty.
    package var text: String
    package var emoji: [String]
    /// Relative to the pack's folder, like `thumbnail`, and unique in the pack.
    package var file: String
    /// A small WebP of it; nil for stickers of a release that made none, and while a lost one is remade.
    package var thumbnail: String?
    /// Of the sticker in pixels, then the length of its file.
    package var width: Int
    package var height: Int
    package var bytes: Int
    /// Of its file, lowercase hexadecimal; nil if only the file tells.
    package var sha256: String?
    /// When it came into the pack.
    package var added: Date
    /// 0…1.
    package var confidence: Double
    /// What found the subject (`SubjectFinder`); nil if unknown.
    package var foundBy: String?
    /// Of the whole photo; nil if unknown.
    package var colors: PhotoColorSample?
    /// Of the subject alone; nil if unknown.
    package var subjectColors: PhotoColorSample?

    package init(
        id: String, name: String, text: String = "", emoji: [String] = [], file: String, thumbnail: String? = nil,
        width: Int, height: Int, bytes: Int, sha256: String? = nil, added: Date = .distantPast, confidence: Double = 0,
        foundBy: String? = nil, colors: PhotoColorSample? = nil, subjectColors: PhotoColorSample? = nil
    ) {
        self.id = id
        self.name = name
        self.text = text
        self.emoji = emoji
        self.file = file
        self.thumbnail = thumbnail
        self.width = width
        self.height = height
        self.bytes = bytes
        self.sha256 = sha256
        self.added = added
        self.confidence = confidence
        self.foundBy = foundBy
        self.colors = colors
        self.subjectColors = subjectColors
    }

    // Hashing all properties would take longer than comparing them.
    package func hash(into hasher: inout Hasher) { hasher.combine(file) }

    /// A sticker's identifier; its photo's stickers count from 0.
    package static func identifier(ofPhoto photo: String, _ ordinal: Int) -> String {
        "sha256:\(photo)" + (ordinal > 0 ? "#\(ordinal + 1)" : "")
    }

    /// The photo's SHA-256 in lowercase hexadecimal and the sticker's number, from 0, as an identifier says; nil for
    /// any other text: others may have written it.
    package static func photo(ofSticker id: String) -> (digest: String, ordinal: Int)? {
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

// MARK: - In files

extension PackEntry {
    /// Its object in `pack.json` and in the files of pages.
    ///
    /// - Parameter colorCount: the number of colors per photo.
    package func indexJSON(colorCount: Int) -> OrderedJSON {
        let scheme = colors?.scheme(count: colorCount)
        let subject = subjectColors?.scheme(count: colorCount)
        return [
            "id": .string(id), "name": .string(name), "text": .string(text), "emoji": .strings(emoji),
            "file": .string(file), "thumbnail": thumbnail.map { .string($0) }, "width": .number(width),
            "height": .number(height), "bytes": .number(bytes), "addedAt": .string(added.packText),
            "confidence": .fraction(confidence), "foundBy": foundBy.map { .string($0) }, "colors": Self.json(scheme),
            "subjectColors": Self.json(subject),
            // The suggested background: from the top leading to the bottom trailing corner.
            "gradient": .strings(((subject ?? scheme)?.gradient ?? []).map(\.description)),
        ]
    }

    private static func json(_ scheme: PhotoColorScheme?) -> OrderedJSON {
        .array(
            (scheme?.colors ?? []).map { color in
                [
                    "hex": .string(color.hex.description), "weight": .fraction(color.weight),
                    "name": .string(color.name),
                ]
            })
    }

    /// Its object in the data of the gallery's page and of the scripts of pages, which choose the colors themselves.
    package var galleryJSON: OrderedJSON {
        [
            "id": .string(id), "file": .string(file), "thumbnail": thumbnail.map { .string($0) },
            "width": .number(width), "height": .number(height), "bytes": .number(bytes), "name": .string(name),
            "emoji": emoji.isEmpty ? nil : .strings(emoji), "added": .string(added.packText),
            "photo": colors.map { .string($0.description) }, "subject": subjectColors.map { .string($0.description) },
        ]
    }
}

extension PackEntry: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, name, text, emoji, file, thumbnail, width, height, bytes, addedAt, confidence, foundBy, colors,
            subjectColors
    }

    /// Reads an object of `pack.json` of any release. Invalid colors, emoji and times are no error: they must not cost
    /// the sticker when the Library is rebuilt.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func sample(_ key: CodingKeys) -> PhotoColorSample? {
            (try? members.decode([SchemeColor].self, forKey: key)).flatMap {
                PhotoColorSample(PhotoColorScheme(colors: $0))
            }
        }
        let added = try members.decode(String.self, forKey: .addedAt)
        self.init(
            id: try members.decode(String.self, forKey: .id),
            name: try members.decodeIfPresent(String.self, forKey: .name) ?? "",
            text: (try? members.decode(String.self, forKey: .text)) ?? "",
            emoji: (try? members.decode([String].self, forKey: .emoji)) ?? [],
            file: try members.decode(String.self, forKey: .file),
            thumbnail: try members.decodeIfPresent(String.self, forKey: .thumbnail),
            width: try members.decode(Int.self, forKey: .width), height: try members.decode(Int.self, forKey: .height),
            bytes: try members.decode(Int.self, forKey: .bytes),
            // What is read may be a rounding error below its millisecond, and what formats it cuts off the rest.
            added: (try? Date.ISO8601FormatStyle.packTime.parse(added).addingTimeInterval(0.0001)) ?? .now,
            confidence: try members.decode(Double.self, forKey: .confidence),
            foundBy: try? members.decode(String.self, forKey: .foundBy), colors: sample(.colors),
            subjectColors: sample(.subjectColors))
    }
}

extension PackEntry {
    /// Rises when the same values are written otherwise.
    package static let revision = 2
}

extension Date {
    /// As `packTime` writes it. What the Library has may be read as a rounding error below its millisecond, too.
    package var packText: String { addingTimeInterval(0.0001).formatted(.packTime) }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
    /// ISO 8601 in UTC with milliseconds.
    package static var packTime: Self { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }
}
