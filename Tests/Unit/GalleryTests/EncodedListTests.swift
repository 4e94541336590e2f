import Gallery
import TestSupport
import Testing

@Suite("A list that is encoded again from its first change on")
struct EncodedListTests {
    private static func list() -> EncodedList<GalleryContents.Page> { EncodedList { $1.page($0) } }

    private static func pages(_ numbers: some Sequence<Int>) -> [GalleryContents.Page] {
        numbers.map { .init(name: "\($0)", stickers: $0 % 7) }
    }

    @Test("It has a comma between two elements, and none at its ends")
    func text() {
        var list = Self.list()
        #expect(list.bytes.isEmpty)
        list.update(Self.pages([1]))
        #expect(list.bytes == Array("[\"1\",1]".utf8))
        list.update(Self.pages([1, 10]))
        #expect(list.bytes == Array("[\"1\",1],[\"10\",3]".utf8))
        list.update([])
        #expect(list.bytes.isEmpty)
    }

    @Test("After any change, it has the same bytes as a new list")
    func changes() {
        var generator = TestRandom(state: 9)
        var list = Self.list()
        var numbers = Array(1...20)
        for step in 0..<2_000 {
            let place = Int.random(in: 0...numbers.count, using: &generator)
            switch step % 5 {
            case 0: numbers.append(step)
            case 1: numbers.insert(step, at: place)
            case 2: numbers.removeSubrange(place..<min(place + 2, numbers.count))
            case 3 where place < numbers.count: numbers[place] = step
            case 4 where step % 400 == 4: numbers = []
            default: break
            }
            list.update(Self.pages(numbers))
            var new = Self.list()
            new.update(Self.pages(numbers))
            #expect(list.bytes == new.bytes, "\(numbers)")
        }
    }

    /// Equal to others with the same number, however they are to be encoded.
    private struct Marked: Equatable {
        let number: Int
        let mark: String

        static func == (one: Marked, other: Marked) -> Bool { one.number == other.number }
    }

    @Test("Elements before the first change are not encoded again")
    func kept() {
        var list = EncodedList<Marked> { element, json in json.line { $0.value("\(element.number)\(element.mark)") } }
        list.update([1, 2, 3].map { Marked(number: $0, mark: "a") })
        list.update([1, 2, 4, 3].map { Marked(number: $0, mark: "b") })
        #expect(list.bytes == Array("\n\"1a\",\n\"2a\",\n\"4b\",\n\"3b\"".utf8))
    }
}
