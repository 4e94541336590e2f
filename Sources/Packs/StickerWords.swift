import FileNames
import OutboxLayout
import PhotoLibrary

/// A sticker's emoji and the words that people read for it, in `pack.json`, on the page and in link previews: the one
/// place that decides them.
///
/// They come from the name of the photo's file, which is untrusted: the Library keeps it escaped (see `InboxPath`),
/// these are what is visible of it, and each format escapes them in its own way.
struct StickerWords: Equatable {
    /// Increased whenever the same sticker gets other words: files that have them are then written again.
    static let revision = 3
    /// The longest name in bytes.
    private static let maxNameBytes = 120

    /// One line without emoji, and without leading, trailing or doubled spaces; not empty, but the same for all
    /// stickers of one photo. The first emoji if there are no words.
    let name: String
    /// The part of the name that describes the sticker, for screen readers and messengers: without counters and a
    /// camera's prefix. May be empty.
    let text: String
    /// In the order of the name, without duplicates; at most `Emoji.maxListed`.
    let emoji: [Emoji]

    init(of sticker: StickerRecord) {
        self.init(stem: sticker.stem, file: sticker.file, photo: sticker.photo)
    }

    /// The words of the sticker with these properties of a `StickerRecord`.
    init(stem known: String?, file: String, photo: String) {
        let shown = InboxPath.shown(escaped: known ?? "")
        let stem = shown.isEmpty ? OutboxName.title(ofSticker: file, photo: photo) : shown
        let parts = StemParts(stem)
        let words = Self.words(in: parts.texts)
        emoji = parts.emoji
        if !words.isEmpty {
            name = words
        } else if emoji.isEmpty {
            name = stem
        } else {
            name = Self.joined(emoji)
        }
        // Digits of the photo's SHA-256 describe nothing.
        let isHidden = shown.isEmpty && file.hasPrefix(photo.prefix(OutboxName.digits[0]))
        text = isHidden ? "" : SpokenText(words).text
    }

    /// The words of a file's stem, of which `texts` are the parts between emoji. Underscores and hyphens separate words
    /// if no space does, but hyphens between digits, as in a date, do not. A copy's number may follow a space.
    private static func words(in texts: [ArraySlice<Character>]) -> String {
        let hasSpaces = texts.contains { text in
            let words = SpokenText.withoutCopyNumber(Substring(String(text)))
            return words.split(separator: " ").count > 1 || words.contains { $0.isWhitespace && $0 != " " }
        }
        var name = ""
        for characters in texts {
            var isNew = true
            for (index, character) in zip(characters.indices, characters) {
                if character.isWhitespace || !hasSpaces && isSeparator(index, in: characters) {
                    isNew = true
                    continue
                }
                let isSpaced = isNew && !name.isEmpty
                guard name.utf8.count + (isSpaced ? 1 : 0) + character.utf8.count <= maxNameBytes else { return name }
                if isSpaced { name += " " }
                name.append(character)
                isNew = false
            }
        }
        return name
    }

    private static func joined(_ emoji: [Emoji]) -> String {
        emoji.reduce(into: "") { name, emoji in
            if name.utf8.count + emoji.text.utf8.count <= maxNameBytes { name += emoji.text }
        }
    }

    private static func isSeparator(_ index: Int, in characters: ArraySlice<Character>) -> Bool {
        guard characters[index] == "-" else { return characters[index] == "_" }
        let isBetweenDigits =
            index > characters.startIndex && index + 1 < characters.endIndex && characters[index - 1].isNumber
            && characters[index + 1].isNumber
        return !isBetweenDigits
    }
}
