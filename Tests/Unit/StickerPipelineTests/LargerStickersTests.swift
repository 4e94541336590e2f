import Foundation
import LinuxIO
import PackExports
import PhotoCodecs
import PhotoFacts
@testable import PhotoLibrary
import PhotoRaster
import StickerStudio
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import StickerPipeline

@Suite("Pictures that are larger than their stickers", .timeLimit(.minutes(2)))
struct LargerStickersTests {
    let fixture: PipelineFixture

    init() throws {
        fixture = try PipelineFixture()
        for name in ["store", "out"] {
            try FileManager.default.createDirectory(
                atPath: fixture.folder[name].string, withIntermediateDirectories: true)
        }
    }

    /// Stickers of the fixture have 96 pixels, and a margin of 2.
    static let large = PictureForm(width: 300, height: 300, format: .png, maxBytes: 500_000)

    @Test(
        "A sticker's own pixels are used for a picture of its size or less, and for one up to 5 % larger",
        arguments: [(90, false), (96, false), (97, true), (300, true)])
    func rule(side: Int, isFromPhoto: Bool) throws {
        let form = PictureForm(width: side, height: side, format: .png, maxBytes: 1000)
        #expect(try origin(width: 96, height: 60).isTooSmall(for: form) == isFromPhoto)
    }

    @Test("With the default size, a picture of 512 pixels is made from the sticker's own pixels")
    func usual() throws {
        let form = PictureForm(width: 512, height: 512, format: .webp, maxBytes: 100_000)
        let origin = try origin(width: 512, height: 300, Recipe(sticker: StickerRecipe(), format: .png))
        #expect(!origin.isTooSmall(for: form))
        #expect(origin.isTooSmall(for: PictureForm(width: 618, height: 618, format: .png, maxBytes: 500_000)))
    }

    @Test("The picture is the one of a sticker made at the large size, and is made once")
    func detailed() async throws {
        try await arrive()
        try await drawing { maker in
            let store = try store(maker)
            let picture = try await picture()
            let small = ExportPicture(
                of: picture.sticker, PictureForm(width: 80, height: 80, format: .png, maxBytes: 9999))
            #expect(try await store.make([picture, small]).refused.isEmpty)
            let bytes = try store.contents(of: picture)
            let sticker = try await self.sticker(enlargedBy: 11, maker)
            #expect(bytes == (try StickerPicture(of: sticker, as: Self.large).encode()))
            #expect(store.stored[picture]?.name.contains("-photo1-") == true)
            #expect(store.stored[small]?.name.contains("photo") == false)
            #expect(store.enlarged.isEmpty)
            #expect(maker.photos == 2)

            let enlarged = try store_(maker, hasLibrary: false)
            #expect(try await enlarged.make([picture]).refused.isEmpty)
            #expect(try bytes.count > 0 && enlarged.contents(of: picture) != bytes)
            #expect(enlarged.enlarged == [picture.sticker.file])
            #expect(try await self.store(maker).make([picture]).refused.isEmpty)
            #expect(maker.photos == 2)
        }
    }

    @Test("Several forms of a sticker are made from one larger sticker")
    func once() async throws {
        try await arrive()
        try await drawing { maker in
            let first = try await picture()
            let pictures = [300, 320, 512].map { side in
                ExportPicture(
                    of: first.sticker, PictureForm(width: side, height: side, format: .webp, maxBytes: 500_000))
            }
            let store = try store(maker)
            #expect(try await store.make(pictures).refused.isEmpty)
            #expect(maker.photos == 1)
            #expect(store.made == 3)
        }
    }

    @Test("The Library is asked only for stickers that can be too small for a picture")
    func asked() async throws {
        try await arrive()
        try await drawing { maker in
            let names = Mutex<[String]>([])
            var sources = StickerSources(fixture.library, pack: "")
            sources.origins = { [origins = sources.origins] files in
                names.withLock { $0 += files }
                return try await origins(files)
            }
            let large = try await picture()
            let store = try store_(maker, try larger(maker, sources))
            for side in [80, 96] {
                let form = PictureForm(width: side, height: side, format: .png, maxBytes: 99_999)
                #expect(try await store.make([ExportPicture(of: large.sticker, form)]).refused.isEmpty)
            }
            #expect(names.withLock { $0 }.isEmpty)
            #expect(try await store.make([large]).refused.isEmpty)
            #expect(names.withLock { $0 } == [large.sticker.file])
            #expect(maker.photos == 1)
        }
    }

    @Test("A pack's index with impossible sizes is harmless", arguments: [Int.min, -1, 0, .max])
    func impossible(_ side: Int) {
        let sticker = ExportSticker(
            id: "", file: "a.png", name: "a", text: "", emoji: [], size: .init(width: side, height: side))
        #expect(ExportPicture(of: sticker, Self.large).mayBeTooLarge(margin: 256) == (side < 1))
    }

    @Test("Larger stickers that are kept need no descriptors")
    func descriptors() async throws {
        try await arrive()
        let photo = try #require(try await fixture.library.stickerRecords(ofPack: "").first).photo
        try await drawing { maker in
            let count = 50
            maker.setReply { _, recipe throws(PictureFailure) in
                let facts = StickerFacts(
                    width: recipe.sticker.size, height: recipe.sticker.size * 60 / 96, confidence: 1)
                return Array(repeating: .init(facts: facts, data: [1], thumbnail: []), count: count)
            }
            let larger = try larger(maker)
            let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            for ordinal in 0..<count {
                let origin = try origin(width: 96, height: 60, photo: photo, ordinal: ordinal, siblings: count)
                guard case .made = try await larger.sticker(from: origin) else {
                    Issue.record("Sticker \(ordinal) was not made")
                    return
                }
            }
            let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            #expect(after < before + count / 2)
        }
    }

    // MARK: The pack

    func origin(
        width: Int, height: Int, _ recipe: Recipe = PipelineFixture.recipe, photo: String = "", ordinal: Int = 0,
        siblings: Int = 1
    ) throws -> LargerStickers.Origin {
        LargerStickers.Origin(
            record: StickerOrigin(
                file: "a.png", sha256: "", photo: photo, ordinal: ordinal, siblings: siblings, width: width,
                height: height, recipe: try recipe.canonicalText),
            recipe: recipe)
    }

    /// Makes a sticker of a photo that has pixels to spare.
    func arrive() async throws {
        let recipe = PipelineFixture.recipe
        try await fixture.library.remember(recipe: recipe.identifier, content: recipe.canonicalText)
        try fixture.write(try PipelineFixture.photo(width: 1300), to: "a.png")
        try await fixture.arrive("a.png")
        try await fixture.processing { try await fixture.drain($0) }
    }

    func picture() async throws -> ExportPicture {
        let sticker = try #require(try await fixture.library.stickerRecords(ofPack: "").first)
        return ExportPicture(
            of: ExportSticker(
                id: "", file: sticker.file, name: "a", text: "", emoji: [],
                size: .init(width: sticker.width, height: sticker.height)), Self.large)
    }

    /// The picture as it is made without the photo.
    func enlarged(_ picture: ExportPicture) throws -> [UInt8] {
        let file = try #require(
            FileManager.default.contents(atPath: fixture.folder["outbox/\(picture.sticker.file)"].string))
        let sticker = try PhotoDecoder().decode(.bytes([UInt8](file)), workingSide: 2048).raster
        return try StickerPicture(of: sticker, as: picture.form).encode()
    }

    func sticker(enlargedBy factor: Int, _ maker: CountingPictures) async throws -> Raster {
        var recipe = PipelineFixture.recipe.sticker
        (recipe.size, recipe.outlineWidth, recipe.padding) = (
            factor * recipe.size, factor * recipe.outlineWidth, factor * recipe.padding
        )
        let file = try OwnedDescriptor(opening: fixture.folder["inbox/a.png"])
        let made = try await maker.stickers(of: file.raw, Recipe(sticker: recipe, format: .png))
        return try PhotoDecoder().decode(.bytes(try #require(made.first).data), workingSide: 4096).raster
    }

    func store(
        _ maker: CountingPictures, weights: String = PipelineFixture.recipe.weights,
        memory: PictureMemory = PictureMemory()
    ) throws -> PictureStore {
        try store_(maker, try larger(maker, weights: weights), memory)
    }

    func larger(
        _ maker: CountingPictures, _ sources: StickerSources? = nil,
        weights: String = PipelineFixture.recipe.weights
    ) throws -> LargerStickers {
        LargerStickers(
            sources ?? StickerSources(fixture.library, pack: ""),
            LargerStickers.Studio(
                inbox: fixture.folder["inbox"], reader: try PhotoReader(), maker: maker, weights: weights,
                maxFileBytes: 1 << 30))
    }

    func store_(
        _ maker: CountingPictures, _ larger: LargerStickers? = nil, _ memory: PictureMemory = PictureMemory(),
        hasLibrary: Bool = true
    ) throws -> PictureStore {
        PictureStore(
            in: try ExportFolder(at: fixture.folder[hasLibrary ? "store" : "out"]),
            stickers: try ExportFolder(at: fixture.folder["outbox"]), maker: maker, larger: larger, memory: memory,
            places: 2, room: ExportRoom(folder: fixture.folder.path, minFreeBytes: 0), isStopping: { false })
    }

    /// Runs a worker during `body`.
    func drawing(_ body: (CountingPictures) async throws -> Void) async throws {
        try await WorkerFixture.running(try StickerdBinary.path) { pool async throws in
            try await body(
                CountingPictures(WorkerPictures(pool, limits: DecodeLimits(), timeout: .seconds(20))))
        }
    }
}
