// @testable imports work in debug builds only.
#if DEBUG
import TestSupport
import Testing

@testable import PackExports

@Suite("Sets of emoji", .timeLimit(.minutes(1)))
struct EmojiSetsTests {
    private func pack(_ numbers: [Int]) -> ExportPack {
        ExportPack(
            name: "Cats", identifier: "cats", publisher: "", emoji: [], stickers: numbers.map { .sample($0) })
    }

    /// By the number of the set, its stickers' files.
    private func files(_ pack: ExportPack, _ book: inout NameBook, limit: Int) -> [Int: [String]] {
        let sets = EmojiSets.assign(pack, &book, key: "k", limit: limit)
        return Dictionary(uniqueKeysWithValues: sets.map { ($0.number, $0.indices.map { pack.stickers[$0].file }) })
    }

    @Test("A pack fills one set after the other")
    func filling() {
        var book = NameBook()
        let sets = EmojiSets.assign(pack(Array(0..<7)), &book, key: "k", limit: 3)
        #expect(
            sets == [
                .init(number: 1, indices: [0, 1, 2]), .init(number: 2, indices: [3, 4, 5]),
                .init(number: 3, indices: [6]),
            ])
        #expect(EmojiSets.assign(pack([]), &book, key: "k", limit: 3).isEmpty)
    }

    @Test("A sticker that comes or goes changes one set", arguments: 1...20 as ClosedRange<UInt64>)
    func stability(seed: UInt64) {
        var random = TestRandom(state: seed)
        var (book, present, next) = (NameBook(), Array(0..<20), 20)
        var former = files(pack(present), &book, limit: 5)
        for _ in 0..<100 {
            if present.count > 3, Bool.random(using: &random) {
                present.remove(at: Int.random(in: present.indices, using: &random))
            } else {
                present.append(next)
                next += 1
            }
            let now = files(pack(present), &book, limit: 5)
            let changed = Set(now.keys).union(former.keys).filter { now[$0] != former[$0] }
            #expect(changed.count == 1)
            #expect(now.values.allSatisfy { (1...5).contains($0.count) })
            #expect(now.values.flatMap { $0 }.sorted() == pack(present).stickers.map(\.file).sorted())
            former = now
        }
    }

    @Test("Sets that a user makes too large are divided")
    func overfull() {
        var book = NameBook()
        for sticker in pack(Array(0..<4)).stickers { book.stickers[sticker.file] = .init(sets: ["k": 7, "other": 1]) }
        let sets = files(pack(Array(0..<4)), &book, limit: 3)
        #expect(sets.mapValues(\.count) == [7: 3, 1: 1])
        #expect(book.stickers.values.allSatisfy { $0.sets?["other"] == 1 })
    }
}
#endif
