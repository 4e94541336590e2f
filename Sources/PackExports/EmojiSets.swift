/// Divides packs that are too large for one archive or list.
enum EmojiSets {
    struct Members: Equatable {
        /// From 1. Numbers of sets without stickers are skipped.
        let number: Int
        /// Indices of stickers in the pack, in order of arrival; not empty.
        let indices: [Int]
    }

    /// The sets of a pack in the order of their numbers. A sticker stays in the set that the book has for it. A new one
    /// joins the first set with room, so that only one set changes.
    ///
    /// - Parameters:
    ///   - key: that of the sets in the book.
    ///   - limit: the most stickers of a set. If more were given the same number by hand, the last ones are moved.
    static func assign(_ pack: ExportPack, _ book: inout NameBook, key: String, limit: Int) -> [Members] {
        var members: [Int: [Int]] = [:]
        var unassigned: [Int] = []
        for (index, sticker) in pack.stickers.enumerated() {
            if let number = book.stickers[sticker.file]?.sets?[key], members[number, default: []].count < limit {
                members[number, default: []].append(index)
            } else {
                unassigned.append(index)
            }
        }
        var number = 1
        for index in unassigned {
            while members[number, default: []].count >= limit { number += 1 }
            members[number, default: []].append(index)
            var entry = book.stickers[pack.stickers[index].file] ?? NameBook.Entry()
            entry.sets = (entry.sets ?? [:]).merging([key: number]) { _, new in new }
            book.stickers[pack.stickers[index].file] = entry
        }
        return members.sorted { $0.key < $1.key }.map { Members(number: $0.key, indices: $0.value.sorted()) }
    }

    /// `cats.zip` for the first set, `cats-2.zip` for the second.
    static func fileName(_ stem: String, _ number: Int, _ ending: String) -> String {
        stem + (number == 1 ? "" : "-\(number)") + "." + ending
    }
}
