// @testable imports work in debug builds only.
#if DEBUG
import Foundation
import LinuxIO
import PackExports
import PhotoCodecs
import PhotoColors
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
    private let fixture: PipelineFixture

    init() throws {
        fixture = try PipelineFixture()
        for name in ["store", "out"] {
            try FileManager.default.createDirectory(
                atPath: fixture.folder[name].string, withIntermediateDirectories: true)
        }
    }

    /// Stickers of the fixture have 96 pixels, and a margin of 2.
    private static let large = PictureForm(width: 300, height: 300, format: .png, maxBytes: 500_000)

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

    @Test("A sticker is enlarged if its photo is gone, replaced by another, written to, or a link", arguments: 0..<4)
    func fallback(_ kind: Int) async throws {
        try await arrive()
        let place = fixture.folder["inbox/a.png"]
        switch kind {
        case 0: try FileManager.default.removeItem(atPath: place.string)
        case 1:
            try FileManager.default.removeItem(atPath: place.string)
            try fixture.write(try PipelineFixture.photo(red: 40, width: 640), to: "a.png")
        case 2:
            let file = try #require(FileHandle(forWritingAtPath: place.string))
            try file.write(contentsOf: Data([0]))
        default:
            try FileManager.default.moveItem(atPath: place.string, toPath: fixture.folder["b.png"].string)
            try FileManager.default.createSymbolicLink(
                atPath: place.string, withDestinationPath: fixture.folder["b.png"].string)
        }
        try await drawing { maker in
            let store = try store(maker)
            let picture = try await picture()
            #expect(try await store.make([picture]).refused.isEmpty)
            #expect(maker.photos == 0)
            #expect(try store.contents(of: picture) == enlarged(picture))
            #expect(store.stored[picture]?.name.contains("photo") == false)
            #expect(store.enlarged == [picture.sticker.file])
        }
    }

    @Test("A photo that came back gives the picture in the next pass, and the enlarged one is removed")
    func back() async throws {
        try await arrive()
        let (place, other) = (fixture.folder["inbox/a.png"].string, fixture.folder["b.png"].string)
        try FileManager.default.moveItem(atPath: place, toPath: other)
        try await drawing { maker in
            let picture = try await picture()
            let first = try store(maker)
            _ = try await first.make([picture])
            try FileManager.default.moveItem(atPath: other, toPath: place)
            let second = try store(maker)
            _ = try await second.make([picture])
            try second.removeUnused()
            let name = try #require(second.stored[picture]?.name)
            #expect(name != first.stored[picture]?.name)
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder["store"].string) == [name])
        }
    }

    @Test("A sticker whose file is not the Library's is enlarged")
    func foreign() async throws {
        try await arrive()
        try await drawing { maker in
            let picture = try await picture()
            try fixture.folder.write(
                try PNGEncoder.encode(DrawnPicture.disc(width: 90, height: 90, red: 9)),
                to: "outbox/\(picture.sticker.file)")
            let store = try store(maker)
            #expect(try await store.make([picture]).refused.isEmpty)
            #expect(maker.photos == 0)
            #expect(try store.contents(of: picture) == enlarged(picture))
        }
    }

    @Test("A sticker of another release or model is enlarged")
    func otherWeights() async throws {
        try await arrive()
        try await drawing { maker in
            let store = try store(maker, weights: "others")
            let picture = try await picture()
            #expect(try await store.make([picture]).refused.isEmpty)
            #expect(maker.photos == 0)
        }
    }

    @Test("If the photo cannot be processed, the sticker is enlarged, and that is not tried again")
    func refused() async throws {
        try await arrive()
        try await drawing { maker in
            maker.setReply { _, _ throws(PictureFailure) in throw .refused("it is broken") }
            let picture = try await picture()
            let memory = PictureMemory()
            for _ in 0..<2 {
                let store = try store(maker, memory: memory)
                #expect(try await store.make([picture]).refused.isEmpty)
                #expect(try store.contents(of: picture) == enlarged(picture))
            }
            #expect(maker.photos == 1)
        }
    }

    @Test(
        "If workers die at the photo, the same pass enlarges the sticker, and after some passes the photo is left alone",
        arguments: [PictureFailure.died("it was killed"), .unreadable("I/O error")])
    func died(_ failure: PictureFailure) async throws {
        try await arrive()
        try await drawing { maker in
            maker.setReply { _, _ throws(PictureFailure) in throw failure }
            let (picture, memory) = (try await picture(), PictureMemory())
            for _ in 0..<PictureMemory.maxTries + 2 {
                let store = try store(maker, memory: memory)
                let missing = try await store.make([picture])
                #expect(missing.refused.isEmpty && !missing.isTemporary)
                #expect(try store.contents(of: picture) == enlarged(picture))
            }
            #expect(maker.photos == PictureMemory.maxTries)
        }
    }

    @Test("A sticker is enlarged if the larger ones are of other subjects, whatever their size", arguments: [0, 2, 3])
    func otherSubjects(_ count: Int) async throws {
        try await arrive()
        try await drawing { maker in
            maker.setReply { workers, request async throws(PictureFailure) in
                guard let sticker = try await workers(request).first else { return [] }
                return Array(repeating: sticker, count: count)
            }
            let store = try store(maker)
            let picture = try await picture()
            #expect(try await store.make([picture]).refused.isEmpty)
            #expect(try store.contents(of: picture) == enlarged(picture))
        }
    }

    @Test("A sticker is enlarged if the larger one has the same shape but shows something else")
    func otherCut() async throws {
        try await arrive()
        try await drawing { maker in
            maker.setReply { workers, request async throws(PictureFailure) in
                let usual = request.sticker
                let black = StickerRecipe(
                    size: usual.size, outlineWidth: usual.outlineWidth,
                    outlineColor: HexColor(red: 0, green: 0, blue: 0), shadow: usual.shadow, padding: usual.padding,
                    subjects: usual.subjects)
                return try await workers(Recipe(sticker: black, format: request.format, model: request.weights))
            }
            let store = try store(maker)
            let picture = try await picture()
            #expect(try await store.make([picture]).refused.isEmpty)
            #expect(try store.contents(of: picture) == enlarged(picture))
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

    private func origin(
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
    private func arrive() async throws {
        let recipe = PipelineFixture.recipe
        try await fixture.library.remember(recipe: recipe.identifier, content: recipe.canonicalText)
        try fixture.write(try PipelineFixture.photo(width: 1300), to: "a.png")
        try await fixture.arrive("a.png")
        try await fixture.processing { try await fixture.drain($0) }
    }

    private func picture() async throws -> ExportPicture {
        let sticker = try #require(try await fixture.library.stickerRecords(ofPack: "").first)
        return ExportPicture(
            of: ExportSticker(
                id: "", file: sticker.file, name: "a", text: "", emoji: [],
                size: .init(width: sticker.width, height: sticker.height)), Self.large)
    }

    /// The picture as it is made without the photo.
    private func enlarged(_ picture: ExportPicture) throws -> [UInt8] {
        let file = try #require(
            FileManager.default.contents(atPath: fixture.folder["outbox/\(picture.sticker.file)"].string))
        let sticker = try PhotoDecoder().decode(.bytes([UInt8](file)), workingSide: 2048).raster
        return try StickerPicture(of: sticker, as: picture.form).encode()
    }

    private func sticker(enlargedBy factor: Int, _ maker: CountingPictures) async throws -> Raster {
        var recipe = PipelineFixture.recipe.sticker
        (recipe.size, recipe.outlineWidth, recipe.padding) = (
            factor * recipe.size, factor * recipe.outlineWidth, factor * recipe.padding
        )
        let file = try OwnedDescriptor(opening: fixture.folder["inbox/a.png"])
        let made = try await maker.stickers(of: file.raw, Recipe(sticker: recipe, format: .png))
        return try PhotoDecoder().decode(.bytes(try #require(made.first).data), workingSide: 4096).raster
    }

    private func store(
        _ maker: CountingPictures, weights: String = PipelineFixture.recipe.weights,
        memory: PictureMemory = PictureMemory()
    ) throws -> PictureStore {
        try store_(maker, try larger(maker, weights: weights), memory)
    }

    private func larger(
        _ maker: CountingPictures, _ sources: StickerSources? = nil,
        weights: String = PipelineFixture.recipe.weights
    ) throws -> LargerStickers {
        LargerStickers(
            sources ?? StickerSources(fixture.library, pack: ""),
            LargerStickers.Studio(
                inbox: fixture.folder["inbox"], reader: try PhotoReader(), maker: maker, weights: weights,
                maxFileBytes: 1 << 30))
    }

    private func store_(
        _ maker: CountingPictures, _ larger: LargerStickers? = nil, _ memory: PictureMemory = PictureMemory(),
        hasLibrary: Bool = true
    ) throws -> PictureStore {
        PictureStore(
            in: try ExportFolder(at: fixture.folder[hasLibrary ? "store" : "out"]),
            stickers: try ExportFolder(at: fixture.folder["outbox"]), maker: maker, larger: larger, memory: memory,
            places: 2, room: ExportRoom(folder: fixture.folder.path, minFreeBytes: 0), isStopping: { false })
    }

    /// Runs a worker during `body`.
    private func drawing(_ body: (CountingPictures) async throws -> Void) async throws {
        try await WorkerFixture.running(try StickerdBinary.path) { pool async throws in
            try await body(
                CountingPictures(WorkerPictures(pool, limits: DecodeLimits(), timeout: .seconds(20))))
        }
    }
}

/// Real workers, and how many photos they were given.
private final class CountingPictures: PictureMaking {
    typealias Workers = @Sendable (Recipe) async throws(PictureFailure) -> [ProcessedPhoto.Sticker]
    typealias Reply = @Sendable (Workers, Recipe) async throws(PictureFailure) -> [ProcessedPhoto.Sticker]

    private let workers: WorkerPictures
    private let count = Atomic(0)
    private let reply = Mutex<Reply?>(nil)

    init(_ workers: WorkerPictures) { self.workers = workers }

    var photos: Int { count.load(ordering: .relaxed) }

    /// Replaces what the workers make of photos.
    func setReply(_ new: @escaping Reply) { reply.withLock { $0 = new } }

    func picture(
        of sticker: Int32, after smaller: Int?, _ form: PictureForm
    ) async throws(PictureFailure) -> [UInt8] {
        try await workers.picture(of: sticker, after: smaller, form)
    }

    func stickers(
        of photo: Int32, _ recipe: Recipe
    ) async throws(PictureFailure) -> [ProcessedPhoto.Sticker] {
        count.wrappingAdd(1, ordering: .relaxed)
        let workers: Workers = { [workers] recipe async throws(PictureFailure) in
            try await workers.stickers(of: photo, recipe)
        }
        guard let reply = reply.withLock({ $0 }) else { return try await workers(recipe) }
        return try await reply(workers, recipe)
    }
}
#endif
