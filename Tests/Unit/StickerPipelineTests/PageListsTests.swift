import LinuxIO
import PackFacts
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("The lists of a large pack's pages", .timeLimit(.minutes(1)))
struct PageListsTests {
    private let fixture: PipelineFixture
    private let packs: PackFixture
    private let sizes = PageSizes(maxUndivided: 6, maxStickers: 4)
    private let gallery = PackSettings.Gallery(maxArchiveBytes: 0)

    init() throws {
        fixture = try PipelineFixture()
        packs = PackFixture(fixture)
        fixture.library.adopt(.withdraw)
    }

    private func add(_ numbers: ClosedRange<Int>) async throws {
        for number in numbers { try await fixture.arrive("\(number).png") }
        try await packs.finishAll(numbers.map { "\($0).png" })
    }

    private func remove(_ numbers: ClosedRange<Int>) async throws {
        try await fixture.library.forget(numbers.map { PipelineFixture.path("\($0).png") })
    }

    private func change(_ step: Int) async throws {
        switch step {
        case 1: try await add(1...10)
        case 2: try await add(11...15)
        case 3: try await remove(6...7)
        case 4: try await remove(1...4)
        case 5: try await remove(5...13)
        default: try await add(16...25)
        }
    }

    /// How many stickers there are after each step.
    private static let counts = [10, 15, 13, 9, 2, 12]

    /// The files that list the pages, each of which a writer replaces only by other bytes.
    private func inodes() throws -> [UInt64] {
        try ["pack.json", "index.html"].map {
            try FileStatus(of: fixture.folder["outbox"].appending($0)).identity.inode
        }
    }

    @Test("After additions, removals and both divisions, a new writer would write the same lists", arguments: 1...6)
    func renewed(steps: Int) async throws {
        try await packs.writing(gallery: gallery, pageSizes: sizes) { writer in
            for step in 1...steps {
                try await change(step)
                let before = packs.writes
                writer.wake()
                #expect(
                    try await fixture.eventually {
                        try packs.writes > before && packs.index()?.stickerCount == Self.counts[step - 1]
                    })
            }
        }
        let index = try StoredIndex(in: fixture.folder["outbox"])
        #expect(index.unreadable.isEmpty && index.stickers.count == Self.counts[steps - 1])
        #expect((index.index.pages == nil) == (steps == 5))
        let before = try inodes()
        try await packs.writing(gallery: gallery, pageSizes: sizes)
        #expect(try inodes() == before)
    }
}
