import PackFacts

/// The stickers of a pack that go into one of a messenger's sets.
struct StickerSet: Equatable {
    /// From 1. There may be gaps: sets of which all stickers are gone.
    let number: Int
    /// In the order of the pack; not empty.
    let stickers: [PackEntry]
}

/// Spreads a pack over sets of limited size, and remembers it in a `NameBook`. Stickers stay in their sets when others
/// come or go. Only a set that has too few takes the last stickers of the set before, or joins it.
struct SetAssignment {
    /// As in `NameBook.Entry.sets`.
    let export: String
    /// The most stickers of a set; at least `2 * minimum - 1`.
    let maximum: Int
    /// The fewest stickers of a set. The only set of a pack may have fewer.
    var minimum = 1
    /// The highest number that is taken over from a book: users may write anything into it.
    private static let maxNumber = 9999

    /// Places of sets as positions in the pack, by the set's number.
    private typealias Places = [Int: [Int]]

    /// All stickers, each in one set, in the order of the sets' numbers.
    func sets(of stickers: [PackEntry], _ book: inout NameBook) -> [StickerSet] {
        var places = places(of: stickers, book)
        balance(&places)
        for (number, positions) in places {
            for position in positions {
                book.stickers[stickers[position].file, default: NameBook.Entry()].sets[default: [:]][export] = number
            }
        }
        forgetReplaced(present: Set(stickers.map(\.file)), places, &book)
        return places.sorted { $0.key < $1.key }.map { number, positions in
            StickerSet(number: number, stickers: positions.sorted().map { stickers[$0] })
        }
    }

    /// The places from the book. New stickers go into the first set that has room, or start the next one.
    private func places(of stickers: [PackEntry], _ book: NameBook) -> Places {
        var places: Places = [:]
        var new: [Int] = []
        for (position, sticker) in stickers.enumerated() {
            if let number = book.stickers[sticker.file]?.sets?[export], (1...Self.maxNumber).contains(number),
                places[number, default: []].count < maximum
            {
                places[number, default: []].append(position)
            } else {
                new.append(position)
            }
        }
        var numbers = places.keys.sorted()[...]
        var next = (numbers.last ?? 0) + 1
        for position in new {
            while let number = numbers.first, places[number, default: []].count >= maximum { numbers.removeFirst() }
            if numbers.isEmpty {
                numbers = [next]
                next += 1
            }
            if let number = numbers.first { places[number, default: []].append(position) }
        }
        return places
    }

    /// Goes from the last set to the first, so that each set before is looked at after it gave stickers away.
    private func balance(_ places: inout Places) {
        var numbers = places.keys.sorted()
        for index in numbers.indices.reversed() {
            let positions = places[numbers[index], default: []]
            let missing = minimum - positions.count
            guard missing > 0, numbers.count > 1 else { continue }
            let neighbor = numbers[index > 0 ? index - 1 : 1]
            let others = places[neighbor, default: []].sorted()
            if others.count - missing >= minimum {
                places[neighbor] = others.dropLast(missing)
                places[numbers[index]] = positions + others.suffix(missing)
            } else {
                places[neighbor] = others + positions
                places[numbers[index]] = nil
                numbers.remove(at: index)
            }
        }
    }

    /// Removed stickers keep their sets as long as no other has taken the place: one that comes back must not drive out
    /// another.
    private func forgetReplaced(present: Set<String>, _ places: Places, _ book: inout NameBook) {
        var absent: [Int: [String]] = [:]
        for (file, entry) in book.stickers where !present.contains(file) {
            if let number = entry.sets?[export] { absent[number, default: []].append(file) }
        }
        for (number, files) in absent {
            let excess = places[number, default: []].count + files.count - maximum
            guard excess > 0 else { continue }
            for file in files.sorted().prefix(excess) { book.stickers[file]?.sets?[export] = nil }
        }
    }
}

extension Optional {
    /// The value, or `fallback` if there is none; setting it replaces nil.
    fileprivate subscript(default fallback: @autoclosure () -> Wrapped) -> Wrapped {
        get { self ?? fallback() }
        set { self = newValue }
    }
}
