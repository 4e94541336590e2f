import OutboxLayout
import PackLedger
import PhotoFacts
import PhotoLibrary
import PhotoRule
import Testing

@Suite("Pages of a pack's index", .timeLimit(.minutes(1)))
struct PageTests {
    private let fixture = LibraryFixture()
    private let sizes = PageSizes(maxUndivided: 10, maxStickers: 8)

    private var library: Library { fixture.library }

    /// Makes a sticker of each photo except those that are `late`, which are returned in progress.
    @discardableResult
    private func add(_ photos: ClosedRange<Int>, late: Set<Int> = []) async throws -> [Int: Claim] {
        var waiting: [Int: Claim] = [:]
        for number in photos {
            try await fixture.arrive("\(number).jpg")
            let claim = try await fixture.next()
            if late.contains(number) {
                waiting[number] = claim
            } else {
                try await fixture.makeSticker(claim, photo: "\(number)")
            }
        }
        return waiting
    }

    /// Takes these photos and their stickers out.
    private func remove(_ photos: ClosedRange<Int>) async throws {
        library.adopt(.withdraw)
        try await library.forget(photos.map { LibraryFixture.path("\($0).jpg") })
    }

    /// Writes what is due. Returns the numbers of the written pages, each with the photos in it.
    @discardableResult
    private func write() async throws -> [Int: [String]] {
        guard try await library.arrangePages(ofPack: "", sizes: sizes) else { return [:] }
        let due = try await library.writeDuePages(ofPack: "")
        #expect(due.allSatisfy { $0.page.stickers == $0.stickers.count && $0.isLast == ($0.page == due.last?.page) })
        return Dictionary(uniqueKeysWithValues: due.map { ($0.page.name.number, $0.stickers.map(\.sticker.photo)) })
    }

    /// The files that are to be removed.
    private func unwanted() async throws -> Set<String> {
        Set(try await library.unwanted(ofPack: "", limit: .max).map(\.file))
    }

    /// The pages that have files.
    private func written() async throws -> [PackPage] {
        try await library.listing(ofPack: "", isDivided: true).pages ?? []
    }

    /// How many stickers each page lists, in order.
    private func pages() async throws -> [Int: Int] {
        let pages = try await written()
        return Dictionary(uniqueKeysWithValues: pages.map { ($0.name.number, $0.stickers) })
    }

    private func photos(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "\($0)" } }

    @Test("A small pack has none; in a larger one, the last page fills up, and one more sticker changes that one only")
    func growth() async throws {
        try await add(1...10)
        #expect(try await write().isEmpty)
        try await add(11...11)
        #expect(try await write() == [1: photos(1...8), 2: photos(9...11)])
        #expect(try await write().isEmpty)
        try await add(12...12)
        #expect(try await write() == [2: photos(9...12)])
        try await add(13...17)
        #expect(try await write() == [2: photos(9...16), 3: photos(17...17)])
        #expect(try await pages() == [1: 8, 2: 8, 3: 1])
    }

    @Test(
        "A sticker that is finished late changes its own page, which is divided evenly if it is twice as large as others"
    )
    func middle() async throws {
        let late = try await add(1...28, late: Set(2...10))
        #expect(try await write()[1] == ["1"] + photos(11...17))
        for number in 2...9 { try await fixture.makeSticker(try #require(late[number]), photo: "\(number)") }
        #expect(try await write() == [1: photos(1...9) + photos(11...17)])
        try await fixture.makeSticker(try #require(late[10]), photo: "10")
        #expect(try await write() == [1: photos(1...6), 4: photos(7...12), 5: photos(13...17)])
        #expect(try await written().map(\.name.number) == [1, 4, 5, 2, 3])
    }

    @Test("Empty pages vanish, small ones stay, and no number is used again")
    func removal() async throws {
        try await add(1...30)
        #expect(try await write().count == 4)
        try await remove(9...16)
        #expect(try await write().isEmpty)
        #expect(try await pages() == [1: 8, 3: 8, 4: 6])
        #expect(try await unwanted() == ["pack/0002-2.json"])
        try await remove(18...24)
        #expect(try await write() == [3: ["17"]])
        // What would come before the first page is in it, so it stays.
        try await remove(1...3)
        try await add(31...40)
        try await remove(4...8)
        #expect(try await write() == [1: [], 4: photos(25...32), 5: photos(33...40)])
        #expect(try await pages() == [1: 0, 3: 1, 4: 8, 5: 8])
    }

    @Test("A pack that has become small is not divided any more, and its pages' files are removed")
    func undivided() async throws {
        try await add(1...12)
        try await write()
        try await remove(1...1)
        #expect(try await library.arrangePages(ofPack: "", sizes: sizes))
        try await remove(2...7)
        #expect(try await !library.arrangePages(ofPack: "", sizes: sizes))
        #expect(try await written().isEmpty)
        #expect(try await unwanted() == ["pack/0001-2.json", "pack/0002-1.json"])
        try await add(13...20)
        #expect(try await write().keys.sorted() == [3, 4])
    }

    @Test("A change while a page is written makes it due again")
    func meanwhile() async throws {
        try await add(1...11)
        try await write()
        try await add(12...12)
        #expect(try await library.arrangePages(ofPack: "", sizes: sizes))
        let page = try #require(try await library.nextDuePage(ofPack: "", after: nil)).page
        try await add(13...13)
        try await library.recordWritten([page], ofPack: "")
        #expect(try await write() == [2: photos(9...13)])
    }

    @Test("Stickers of one photo are on one page")
    func together() async throws {
        try await add(1...7)
        try await fixture.arrive("8.jpg")
        let claim = try await fixture.next()
        _ = try await library.resolve(claim, photo: "8")
        let stickers = (0..<4).map { ordinal in
            StickerRecord(
                StickerFacts(width: 5, height: 5, confidence: 1), pack: "", photo: "8", ordinal: ordinal,
                file: "8-\(ordinal).png", bytes: 5, sha256: "s", recipe: "r")
        }
        try await library.finish(claim, as: .made(stickers, result: fixture.result(photo: "8"), stems: ["8"]))
        try await add(9...12)
        #expect(try await write() == [1: photos(1...7), 2: ["8", "8", "8", "8"] + photos(9...12)])
    }
}
