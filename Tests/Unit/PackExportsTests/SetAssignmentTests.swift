import PackFacts
import TestSupport
import Testing

@testable import PackExports

@Suite struct SetAssignmentTests {
    private static let whatsApp = SetAssignment(export: "test", maximum: 30, minimum: 3)

    @Test("1 to 100 stickers are split into as few sets as fit, and none has too few", arguments: 1...100)
    func splits(count: Int) {
        var book = NameBook()
        let sets = Self.whatsApp.sets(of: Pack.sample(count).stickers, &book)
        #expect(sets.map(\.number) == Array(1...((count + 29) / 30)))
        #expect(sets.allSatisfy { $0.stickers.count <= 30 })
        #expect(count < 3 || sets.allSatisfy { $0.stickers.count >= 3 })
        #expect(sets.flatMap(\.stickers) == Pack.sample(count).stickers)
    }

    @Test("A rest below the minimum takes the last stickers of the set before")
    func rest() {
        var book = NameBook()
        let thirty = Self.whatsApp.sets(of: Pack.sample(30).stickers, &book)
        #expect(thirty.map(\.stickers.count) == [30])
        let more = Self.whatsApp.sets(of: Pack.sample(31).stickers, &book)
        #expect(more.map(\.stickers.count) == [28, 3])
        #expect(more[1].stickers == [.sample(28), .sample(29), .sample(30)])
    }

    @Test("A set that became too small joins another if that cannot spare any")
    func merges() {
        var book = NameBook()
        let all = Pack.sample(33).stickers
        _ = Self.whatsApp.sets(of: all, &book)
        let sets = Self.whatsApp.sets(of: Array(all[28..<32]), &book)
        #expect(sets.map(\.number) == [1])
        #expect(sets[0].stickers == Array(all[28..<32]))
    }

    @Test("The first set takes stickers of the next if it has too few")
    func firstSet() {
        var book = NameBook()
        let all = Pack.sample(40).stickers
        _ = Self.whatsApp.sets(of: all, &book)
        let sets = Self.whatsApp.sets(of: Array(all[29...]), &book)
        #expect(sets.map(\.stickers.count) == [3, 8])
    }

    @Test("A sticker that comes back does not drive out the one that took its place")
    func comesBack() {
        var book = NameBook()
        let assignment = SetAssignment(export: "test", maximum: 2)
        let stickers = Pack.sample(3).stickers
        _ = assignment.sets(of: [stickers[0], stickers[1]], &book)
        _ = assignment.sets(of: [stickers[1], stickers[2]], &book)
        let sets = assignment.sets(of: stickers, &book)
        #expect(sets.map(\.stickers) == [[stickers[1], stickers[2]], [stickers[0]]])
    }

    @Test("Sets that users wrote into the book are kept, impossible ones are not")
    func edited() {
        var book = NameBook()
        let stickers = Pack.sample(4).stickers
        for (sticker, set) in zip(stickers, [7, 7, -1, Int.max]) {
            book.stickers[sticker.file] = NameBook.Entry(sets: ["test": set])
        }
        let sets = SetAssignment(export: "test", maximum: 3).sets(of: stickers, &book)
        #expect(sets.map(\.number) == [7, 8])
        #expect(sets[0].stickers == Array(stickers[..<3]))
    }

    /// How many stickers may change their set when one comes or goes.
    private static let changes = (1...20).map { (seed: UInt64($0), minimum: 1, moved: 0) } + [(16, 3, 2)]

    @Test(
        "A sticker that comes or goes moves fewer others than a set's minimum, and sets keep their limits",
        arguments: changes)
    func stable(seed: UInt64, minimum: Int, moved: Int) {
        var random = TestRandom(state: seed)
        let assignment = SetAssignment(export: "test", maximum: 6, minimum: minimum)
        var book = NameBook()
        var present: [Int] = []
        var known: [String: Int] = [:]
        for _ in 0..<(minimum > 1 ? 1000 : 200) {
            let number = Int.random(in: 0..<50, using: &random)
            if let position = present.firstIndex(of: number) {
                present.remove(at: position)
            } else {
                present.append(number)
            }
            let sets = assignment.sets(of: present.map { .sample($0) }, &book)
            #expect(sets.allSatisfy { $0.stickers.count <= 6 })
            #expect(sets.count < 2 || sets.allSatisfy { $0.stickers.count >= minimum })
            let now = Dictionary(
                uniqueKeysWithValues: sets.flatMap { set in set.stickers.map { ($0.file, set.number) } })
            #expect(now.count == present.count)
            #expect(now.count { known[$0.key] != nil && known[$0.key] != $0.value } <= moved)
            known = now
        }
    }
}
