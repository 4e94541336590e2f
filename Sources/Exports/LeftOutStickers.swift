import PackFacts

/// The stickers of a pack of which no picture can be made.
struct LeftOutStickers: Equatable {
    /// Why, in words for a person, by the stickers' files.
    private(set) var reasons: [String: String] = [:]

    var count: Int { reasons.count }
    var files: Set<String> { Set(reasons.keys) }

    /// The one whose file's name is the first.
    var first: (file: String, reason: String)? {
        reasons.min { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// For page and status; nil if there is none.
    var note: String? {
        guard let first else { return nil }
        return count == 1
            ? "1 sticker is left out, \(first.file): \(first.reason)."
            : "\(count) stickers are left out. The first is \(first.file): \(first.reason)."
    }

    mutating func add(_ refused: [PackEntry: String]) {
        for (sticker, reason) in refused { reasons[sticker.file] = reason }
    }

    mutating func add(_ others: LeftOutStickers) { reasons.merge(others.reasons) { old, _ in old } }
}
