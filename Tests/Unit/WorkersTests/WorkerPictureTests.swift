import LinuxIO
import PhotoCodecs
import PhotoRaster
import StickerStudio
import TestSupport
import Testing
import Workers

@Suite("Workers that draw pictures of stickers", .timeLimit(.minutes(1)))
struct WorkerPictureTests {
    private let folder = WorkerFixture.folder()

    private static let forms = [
        PictureForm(width: 512, height: 512, margin: 16, format: .webp, maxBytes: 100_000),
        PictureForm(width: 370, height: 320, margin: 10, fit: .tightEven, format: .png, maxBytes: 1_000_000),
    ]

    private func picture(
        _ pool: WorkerPool, of name: String, as form: PictureForm, limits: DecodeLimits = DecodeLimits()
    ) async throws -> [UInt8] {
        let file = try OwnedDescriptor(opening: folder[name])
        let request = WorkerRequest(picture: form, limits: limits)
        let product = try await pool.perform(request, descriptor: file.raw, timeout: .seconds(20))
        return try #require(product.picture)
    }

    /// Writes a sticker that the pool makes, and returns its pixels.
    private func sticker(_ pool: WorkerPool, _ format: StickerFormat) async throws -> Raster {
        let recipe = Recipe(sticker: WorkerFixture.recipe.sticker, format: format)
        let product = try await pool.work(by: recipe, in: folder)
        let file = try #require(product.photo?.stickers.first).data
        try folder.write(file, to: "sticker")
        return try PhotoDecoder().decode(.bytes(file), workingSide: 1024).raster
    }

    @Test("A confined worker draws pictures of its stickers", arguments: StickerFormat.allCases)
    func draws(format: StickerFormat) async throws {
        let script = try WorkerScript(in: folder)
        try await WorkerFixture.running(script.path) { pool async throws in
            let sticker = try await sticker(pool, format)
            for form in Self.forms {
                let made = try await picture(pool, of: "sticker", as: form)
                #expect(made == (try StickerPicture(of: sticker, as: form).encode()))
            }
            #expect(script.processes.count == 1)
        }
    }

    @Test("A worker with a model draws the same")
    func model() async throws {
        try await WorkerFixture.running(model: TinyNetwork.findingRed().bytes, in: folder) { pool async throws in
            let sticker = try await sticker(pool, .png)
            let made = try await picture(pool, of: "sticker", as: Self.forms[0])
            #expect(made == (try StickerPicture(of: sticker, as: Self.forms[0]).encode()))
        }
    }

    @Test("A file that is no visible sticker is refused with the reason, and the worker goes on")
    func refused() async throws {
        try folder.write(try PNGEncoder.encode(Raster(width: 40, height: 40)), to: "transparent")
        try folder.write(Array(try WorkerFixture.photo().prefix(300)), to: "cut")
        try folder.write([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 100), to: "jpeg")
        try folder.write([], to: "empty")
        var limits = DecodeLimits()
        limits.maxPixels = 1000
        let script = try WorkerScript(in: folder)
        try await WorkerFixture.running(script.path) { pool async throws in
            for (name, words) in [
                ("transparent", "Every pixel of the sticker is transparent"), ("cut", ""),
                ("jpeg", "neither PNG nor WebP"), ("empty", "neither PNG nor WebP"),
            ] {
                let error = await #expect(throws: WorkerError.self) {
                    _ = try await picture(pool, of: name, as: Self.forms[0])
                }
                #expect(error?.code == .refused)
                #expect(words.isEmpty || error?.description.contains(words) == true, "\(name): \(error as Any)")
            }
            let large = await #expect(throws: WorkerError.self) {
                _ = try await picture(pool, of: "photo.png", as: Self.forms[0], limits: limits)
            }
            #expect(large?.code == .refused)
            let undrawable = await #expect(throws: WorkerError.self) {
                let form = PictureForm(width: 2000, height: 512, format: .png, maxBytes: 1_000_000)
                _ = try await picture(pool, of: "photo.png", as: form)
            }
            #expect(undrawable?.code == .refused)
            #expect(try await !picture(pool, of: "photo.png", as: Self.forms[0]).isEmpty)
            #expect(script.processes.count == 1)
        }
    }
}
