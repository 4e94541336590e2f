import LinuxIO
import PhotoCodecs
import PhotoFacts
import PhotoRaster
import SubjectModel
import TestSupport
import Testing

import StickerStudio

struct PhotoProcessorTests {
    private let folder = TemporaryFolder()

    /// A network of 64 × 64 pixels that is sure of red, sees strong red without a doubt, and moves all it finds by two
    /// of its pixels to the right.
    private func shifting(stretch: String = "none") throws -> PhotoProcessor {
        var network = TinyNetwork()
        network.metadata = ["width": "64", "height": "64", "stretch": stretch]
        (network.mean, network.std) = ("0", "1")
        network.operations = [
            TinyNetwork.layer(
                "conv", "input", to: "copy", weight: "w", bias: "b", kernel: 5, padding: 2, channels: "3,1"),
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
        let raster = Raster(width: 640, height: 640) { x, y in
            func isWithin(_ range: Range<Int>) -> Bool { range.contains(x) && range.contains(y) }
            return [isWithin(240..<400) ? middle : isWithin(160..<480) ? around : 0, 0, 0, 255]
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
        func opacity(_ x: Int, _ y: Int) -> UInt8 { matte[x, y][0] }
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
        let raster = Raster(width: 640, height: 640) { x, y in
            [220..<420 ~= y && (60..<260 ~= x || 380..<580 ~= x) ? 210 : 0, 0, 0, 255]
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
        #expect(matte[140, 320][0] < 128 && matte[170, 320][0] > 128)
    }
}
