import LinuxIO
import PhotoCodecs
import PhotoFacts
import PhotoRaster
import SubjectModel
import TestSupport
import Testing

import StickerStudio

struct PhotoProcessorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A network of 64 × 64 pixels that is sure of red, sees strong red without a doubt, and moves all it finds by two
    /// of its pixels to the right.
    private func shifting(stretch: String = "none") throws -> PhotoProcessor {
        var network = TinyNetwork()
        network.metadata = ["width": "64", "height": "64", "stretch": stretch]
        (network.mean, network.std) = ("0", "1")
        network.operations = [
            """
            {"op":"conv","in":"input","out":"copy","weight":"w","bias":"b","kernel":5,"stride":1,"padding":2,\
            "channels":[3,1],"activation":"none"}
            """,
            #"{"op":"sigmoid","in":"copy","out":"mask"}"#,
        ]
        network.output = "mask"
        var weights = [Float](repeating: 0, count: 5 * 5 * 3)
        weights[2 * 5 * 3] = 16
        network.tensors = [("w", "F32", [1, 5, 5, 3], weights), ("b", "F32", [1], [-8])]
        try folder.write(network.bytes, to: "model")
        let file = try OwnedDescriptor(opening: folder["model"])
        return try PhotoProcessor(model: SubjectModelFile(descriptor: file.raw, byteCount: network.bytes.count))
    }

    /// A square on black, less red around its middle than in it. It fills the middle half.
    ///
    /// - Parameter middle: how red.
    private static func photo(middle: UInt8 = 255, around: UInt8 = 175) throws -> PhotoSource {
        var raster = DrawnPicture.flat(width: 640, height: 640, 0, 0, 0)
        for y in 160..<480 {
            for x in 160..<480 {
                let isMiddle = (240..<400).contains(x) && (240..<400).contains(y)
                raster.pixels[(y * 640 + x) * 4] = isMiddle ? middle : around
            }
        }
        return .bytes(try PNGEncoder.encode(raster))
    }

    @Test("The second pass is over the mirror image: what a network moves to one side is moved back")
    func mirrored() async throws {
        let recipe = Recipe(sticker: StickerRecipe(), format: .png)
        let (processor, photo) = (try shifting(), try Self.photo())
        #expect(try await processor.process(photo, recipe: recipe, limits: DecodeLimits()).timings.passes == 2)
        let bytes = try await processor.mask(photo, recipe: recipe, limits: DecodeLimits())
        let matte = try PhotoDecoder().decode(.bytes(bytes), workingSide: 640).raster
        func opacity(_ x: Int, _ y: Int) -> UInt8 { matte.pixels[(y * 640 + x) * 4] }
        #expect(opacity(320, 320) > 250 && opacity(20, 320) < 5)
        // The first pass alone ends at 500; the mean of both, at 480 or before.
        #expect(opacity(490, 320) < 128 && opacity(450, 320) > 128)
        // It begins at 180 in the first pass, at 147 in the second, which counts more.
        #expect(opacity(140, 320) < 128 && opacity(170, 320) > 128)
    }

    @Test("Where the network finds nothing, a drawing on paper becomes a sticker, and a scene does not")
    func drawing() async throws {
        let recipe = Recipe(sticker: StickerRecipe(), format: .png)
        func made(_ raster: Raster) async throws -> ProcessedPhoto {
            try await shifting().process(
                .bytes(try PNGEncoder.encode(raster)), recipe: recipe, limits: DecodeLimits(), hasColors: false)
        }
        let paper = DrawnPaper(color: SIMD3(115, 115, 115), ink: 10, noise: 0) {
            $0.ring(x: 0.5, y: 0.5, radius: 0.25)
        }
        let drawing = try await made(paper.raster)
        #expect(drawing.stickers.map(\.facts.foundBy) == [.background] && drawing.facts.confidence > 0.95)
        // The network is not sure of the red dot.
        let dotted = DrawnPaper(color: SIMD3(115, 115, 115), ink: 10, noise: 0) { paper in
            paper.ring(x: 0.5, y: 0.5, radius: 0.25)
            paper.dot(x: 0.5, y: 0.5, radius: 0.05, color: [245, 60, 60])
        }
        let both = try await made(dotted.raster)
        #expect(both.stickers.map(\.facts.foundBy) == [.background] && both.facts.confidence > 0.95)
        let scene = try await made(DrawnPaper(color: SIMD3(115, 115, 115), noise: 0) { _ in }.raster)
        #expect(scene.stickers.isEmpty && scene.facts.confidence < 0.5)
    }

    @Test("A part is as certain as the network, also if its masks are stretched", arguments: ["none", "minmax"])
    func stretched(stretch: String) async throws {
        var raster = DrawnPicture.flat(width: 640, height: 640, 0, 0, 0)
        for y in 220..<420 {
            for x in 0..<640 where (60..<260).contains(x) || (380..<580).contains(x) {
                raster.pixels[(y * 640 + x) * 4] = 210
            }
        }
        let recipe = Recipe(sticker: StickerRecipe(subjects: .separate), format: .png)
        let made = try await shifting(stretch: stretch)
            .process(.bytes(try PNGEncoder.encode(raster)), recipe: recipe, limits: DecodeLimits())
        #expect(0.5...0.8 ~= made.facts.confidence)
        #expect(made.stickers.map(\.facts.foundBy) == [.network, .network])
        #expect(made.stickers.allSatisfy { abs($0.facts.confidence - made.facts.confidence) < 0.1 })
    }

    @Test("The mask of a photo without a clear subject takes both passes, too")
    func unclear() async throws {
        let (processor, photo) = (try shifting(), try Self.photo(middle: 140, around: 140))
        let recipe = Recipe(sticker: StickerRecipe(), format: .png)
        let made = try await processor.process(photo, recipe: recipe, limits: DecodeLimits())
        #expect(made.stickers.isEmpty && made.timings.passes == 1)
        let bytes = try await processor.mask(photo, recipe: recipe, limits: DecodeLimits())
        let matte = try PhotoDecoder().decode(.bytes(bytes), workingSide: 640).raster
        // The first pass alone begins at 180.
        #expect(matte.pixels[(320 * 640 + 140) * 4] < 128 && matte.pixels[(320 * 640 + 170) * 4] > 128)
    }
}
