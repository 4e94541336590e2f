import PhotoRaster
import SubjectModel
import TestSupport
import Testing

struct SubjectNetworkTests {
    private static let side = SubjectNetwork.side

    @Test("In floats, the network reproduces the reference within 1e-4", .timeLimit(.minutes(1)))
    func reference() async throws {
        let small = try ModelFixture.floats("reference-input.f32")
        let planes = (0..<3).map { channel in
            Plane(
                width: Self.side / 16, height: Self.side / 16,
                values: stride(from: channel, to: small.count, by: 3).map { small[$0] }
            )
            .resampled(width: Self.side, height: Self.side, kernel: .area)
        }
        let input = (0..<Self.side * Self.side).flatMap { pixel in planes.map { $0.values[pixel] } }
        let output = try await SubjectNetwork(inFloats: true).run(input: input)
        #expect(output.count == Self.side * Self.side)
        #expect(try Self.difference(of: output, from: "reference-output.f32") < 1e-4)
    }

    @Test("In 8 bits, the network reproduces the reference for bytes within 1e-5", .timeLimit(.minutes(1)))
    func bytes() async throws {
        let small = try ModelFixture.bytes("bytes-input.u8")
        let photo = Raster(width: Self.side, height: Self.side) { x, y in
            let from = (y / 16 * (Self.side / 16) + x / 16) * 3
            return small[from..<from + 3] + [255]
        }
        let mask = try await SubjectNetwork().probability(of: photo)
        #expect(try Self.difference(of: mask.values, from: "bytes-output.f32") < 1e-5)
    }

    @Test("8 bits change the mask by less than a hundredth", arguments: [(64, 48), (900, 600)])
    func rounding(width: Int, height: Int) async throws {
        let photo = DrawnPicture.disc(width: width, height: height)
        let exact = try await SubjectNetwork(inFloats: true).probability(of: photo)
        let rounded = try await SubjectNetwork().probability(of: photo)
        let differences = zip(exact.values, rounded.values).map { abs($0 - $1) }
        #expect(differences.reduce(0, +) / Float(differences.count) < 0.01)
        #expect(differences.contains { $0 > 0 })
    }

    @Test("Transparent pixels become the mean color, also in 8 bits")
    func transparent() async throws {
        var hidden = DrawnPicture.disc(width: Self.side, height: Self.side)
        var gray = hidden
        for pixel in 0..<Self.side * 100 {
            hidden.pixels[pixel * 4 + 3] = 0
            for channel in 0..<3 { gray.pixels[pixel * 4 + channel] = 127 }
        }
        let network = try SubjectNetwork()
        #expect(try await network.probability(of: hidden) == network.probability(of: gray))
    }

    @Test("A second run and a second network give the same bits", .timeLimit(.minutes(1)))
    func deterministic() async throws {
        let photo = DrawnPicture.disc(width: 400, height: 300)
        let network = try SubjectNetwork()
        let first = try await network.probability(of: photo)
        _ = try await network.probability(of: Raster(width: 7, height: 5))
        #expect(try await network.probability(of: photo) == first)
        #expect(try await SubjectNetwork().probability(of: photo) == first)
    }

    @Test("The mask of the mirror image is returned in the photo's own orientation")
    func mirrored() async throws {
        var photo = DrawnPicture.disc(width: 400, height: 300)
        // Half-transparent gray on the left.
        for y in 0..<300 {
            photo.pixels.replaceSubrange(y * 1600..<y * 1600 + 400, with: repeatElement(90, count: 400))
        }
        let network = try SubjectNetwork()
        let plain = try await network.probability(of: photo)
        let mirrored = try await network.probability(of: photo, mirrored: true)
        #expect(try await network.probability(of: photo.mirrored()).mirrored() == mirrored)
        #expect(mirrored != plain)
        let difference = zip(plain.values, mirrored.values).map { abs($0 - $1) }.reduce(0, +)
        #expect(difference / Float(plain.values.count) < 0.05)
    }

    @Test("A disc on a plain ground is the subject, at any size", arguments: [(64, 48), (side, side), (900, 600)])
    func disc(width: Int, height: Int) async throws {
        let mask = try await SubjectNetwork().probability(of: DrawnPicture.disc(width: width, height: height))
        #expect(mask.width == Self.side && mask.height == Self.side)
        #expect(mask.values.allSatisfy { (0...1).contains($0) })
        #expect(mask[Self.side / 2, Self.side / 2] > 0.8)
        #expect(mask[5, 5] < 0.2)
    }

    /// The output is the sigmoid of the normalized red, which shows the network's input.
    @Test(
        "A photo is normalized with the file's values, and transparent pixels become the mean",
        arguments: [([255, 0, 0, 255], 2), ([0, 0, 0, 255], -2), ([255, 0, 0, 0], 0), ([204, 9, 9, 255], 1.2)]
            as [([UInt8], Float)])
    func normalized(pixel: [UInt8], expected: Float) async throws {
        let network = try SubjectNetwork(weights: TinyNetwork().bytes)
        let photo = Raster(width: 2, height: 3, pixels: Array([[UInt8]](repeating: pixel, count: 6).joined()))
        let seen = try await network.probability(of: photo)
        #expect(seen.values.allSatisfy { abs($0 - expected) < 1e-5 })
    }

    private static func halving(_ weight: String, _ activation: String) -> String {
        TinyNetwork.layer("depthwise", "copy", to: "h", weight: weight, bias: "e", kernel: 2, stride: 2, activation)
    }

    @Test(
        "Each operation computes its result",
        arguments: [
            (#"{"op":"sigmoid","in":"copy","out":"x"}"#, 0.622_459_3),
            (#"{"op":"add","in":["copy","copy"],"out":"x","activation":"none"}"#, 1),
            (
                #"{"op":"globalAverage","in":"copy","out":"m"},"#
                    + #"{"op":"add","in":["m","copy"],"out":"x","activation":"relu"}"#, 1
            ),
            // An unused value is skipped: XNNPACK would abort on it.
            (
                #"{"op":"sigmoid","in":"copy","out":"unread"},"#
                    + #"{"op":"add","in":["copy","copy"],"out":"x","activation":"none"}"#, 1
            ),
            (halving("d", "relu") + #",{"op":"upsample2x","in":"h","out":"x"}"#, 5.25),
            // `relu6` clips 8.25, then −0.75, then 16.5; 5.25 passes.
            (halving("f", "relu6") + #",{"op":"upsample2x","in":"h","out":"x"}"#, 6),
            (halving("d", "relu6") + #",{"op":"upsample2x","in":"h","out":"x"}"#, 5.25),
            (TinyNetwork.layer("conv", "copy", to: "x", weight: "g", bias: "e", "relu6"), 0),
            (#"{"op":"clamp","in":"copy","out":"x","activation":"relu"}"#, 0.5),
            (TinyNetwork.layer("conv", "copy", to: "x", weight: "g"), -1),
            (
                #"{"op":"concat","in":["copy","copy","input"],"out":"c"},"#
                    + TinyNetwork.layer("conv", "c", to: "x", weight: "k", channels: "5,1"), 7.5
            ),
            (
                #"{"op":"maxPool","in":"copy","out":"h","kernel":3,"stride":2,"padding":1,"ceil":true},"#
                    + #"{"op":"resize","in":"h","out":"x","height":320,"width":320,"alignment":"halfPixel"}"#, 0.5
            ),
            (
                halving("f", "none") + #",{"op":"add","in":["h","h"],"out":"s","activation":"relu6"},"#
                    + #"{"op":"upsample2x","in":"s","out":"x"}"#, 6
            ),
        ] as [(String, Float)])
    func operation(_ operations: String, expected: Float) async throws {
        var tiny = TinyNetwork().followed(by: operations)
        tiny.tensors += [
            ("d", "F16", [1, 2, 2, 1], [1, 2, 3, 4]), ("e", "F16", [1], [0.25]),
            ("f", "F16", [1, 2, 2, 1], [4, 4, 4, 4]), ("g", "F16", [1, 1, 1, 1], [-2]),
            ("k", "F32", [1, 1, 1, 5], [1, 2, 3, 4, 5]),
        ]
        let network = try SubjectNetwork(weights: tiny.bytes)
        let count = network.inputSize.width * network.inputSize.height * 3
        let output = try await network.run(input: [Float](repeating: 0.5, count: count))
        #expect(output.allSatisfy { abs($0 - expected) < 1e-5 }, "\(output.prefix(4))")
    }

    /// The largest difference at every third row and column.
    private static func difference(of output: [Float], from name: String) throws -> Float {
        let expected = try ModelFixture.floats(name)
        let kept = Array(stride(from: 0, to: side, by: 3))
        let actual = kept.flatMap { y in kept.map { x in output[y * side + x] } }
        try #require(actual.count == expected.count)
        return try #require(zip(actual, expected).map { abs($0 - $1) }.max())
    }
}
