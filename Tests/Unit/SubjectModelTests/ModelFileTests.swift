import Foundation
import LinuxIO
import PhotoRaster
import SubjectModel
import SystemPackage
import TestSupport
import Testing

/// Networks from files, in place of the embedded one.
struct ModelFileTests {
    private let folder = TemporaryFolder()

    private func network(_ bytes: [UInt8]) throws -> SubjectNetwork {
        try folder.write(bytes, to: "model")
        let file = try OwnedDescriptor(opening: folder["model"])
        return try SubjectNetwork(SubjectModelFile(descriptor: file.raw, byteCount: bytes.count))
    }

    /// Exported, converted and run by `make-converted.py`: every operation of U²-Net, down to planes of one pixel.
    @Test("A converted network's output equals ONNX Runtime's within 1e-3", .timeLimit(.minutes(1)))
    func converted() async throws {
        let file = try ModelFixture.bytes("converted.safetensors")
        let output = try await network(file).run(input: ModelFixture.floats("converted-input.f32"))
        let expected = try ModelFixture.floats("converted-output.f32")
        try #require(output.count == expected.count)
        #expect(try #require(zip(output, expected).map { abs($0 - $1) }.max()) < 1e-3)
        #expect(try #require(expected.max()) - #require(expected.min()) > 0.2)
    }

    @Test("Mean and deviation of each color, and the size of the input, are the file's")
    func colors() async throws {
        var tiny = TinyNetwork()
        (tiny.mean, tiny.std, tiny.metadata) = ("0,0.2,0.4", "0.5,1,2", ["width": "6", "height": "4"])
        tiny.tensors = [("w", "F32", [1, 1, 1, 3], [0.1, 0.2, 0.3]), ("b", "F32", [1], [0])]
        let network = try network(tiny.bytes)
        #expect(network.side == 6)
        let photo = Raster(width: 1, height: 1, pixels: [255, 255, 255, 255])
        let seen = try await network.probability(of: photo)
        #expect(seen.width == 6 && seen.height == 4)
        #expect(seen.values.allSatisfy { abs($0 - (0.1 * 2 + 0.2 * 0.8 + 0.3 * 0.3)) < 1e-5 })
    }

    @Test("A resize uses its alignment", arguments: ["halfPixel", "alignCorners", "asymmetric"])
    func alignment(_ alignment: String) async throws {
        var tiny = TinyNetwork()
        tiny.metadata = ["width": "16", "height": "1"]
        tiny.operations.append(
            #"{"op":"resize","in":"copy","out":"s","height":1,"width":4,"alignment":"asymmetric"},"#
                + #"{"op":"resize","in":"s","out":"x","height":1,"width":16,"alignment":"\#(alignment)"}"#)
        tiny.output = "x"
        var input = [Float](repeating: 0, count: 16 * 3)
        for x in 0..<16 { input[3 * x] = Float(x) / 4 }
        let output = try await network(tiny.bytes).run(input: input)
        for (x, value) in output.enumerated() {
            let place =
                switch alignment {
                case "halfPixel": (Float(x) + 0.5) / 4 - 0.5
                case "alignCorners": Float(x) / 5
                default: Float(x) / 4
                }
            #expect(abs(value - min(max(place, 0), 3)) < 1e-5)
        }
    }

    @Test("The output of another network is within 0 and 1, or an error")
    func answers() async throws {
        var tiny = TinyNetwork()
        tiny.tensors[0].values = [9, 0, 0]
        let bright = Raster(width: 1, height: 1, pixels: [255, 0, 0, 255])
        #expect(try await network(tiny.bytes).probability(of: bright).values.allSatisfy { $0 == 1 })

        tiny.operations = [
            TinyNetwork.layer("conv", "input", to: "a", weight: "w", channels: "3,1"),
            TinyNetwork.layer("conv", "a", to: "c", weight: "v"), #"{"op":"concat","in":["c","c"],"out":"x"}"#,
            TinyNetwork.layer("conv", "x", to: "copy", weight: "u", channels: "2,1"),
        ]
        tiny.tensors = [
            ("w", "F32", [1, 1, 1, 3], [3e38, 0, 0]), ("v", "F32", [1, 1, 1, 1], [3e38]),
            ("u", "F32", [1, 1, 1, 2], [1, -1]),
        ]
        let broken = try network(tiny.bytes)
        do {
            // Infinity minus infinity is NaN; some of XNNPACK's kernels clip it to a number.
            #expect(try await broken.probability(of: bright).values.allSatisfy { (0...1).contains($0) })
        } catch {
            #expect(error.code == .engineFailed)
        }
    }

    @Test("A file that is unreadable or too large is rejected")
    func noFile() throws {
        let directory = try OwnedDescriptor(opening: folder.path, options: .directory)
        let raw = directory.raw
        let error = #expect(throws: SubjectModelError.self) {
            _ = try SubjectModelFile(descriptor: raw, byteCount: 100)
        }
        #expect(error?.code == .badWeights)
        let large = #expect(throws: SubjectModelError.self) {
            _ = try SubjectModelFile(descriptor: raw, byteCount: 1 << 31)
        }
        #expect(large?.detail.contains("the limit is") == true)
    }

    @Test("Overlapping tensors are rejected")
    func overlapping() throws {
        let header = """
            {"__metadata__":{"format":"subject-1","input":"input","output":"x","mean":"0","std":"1","graph":"[\
            {\\"op\\":\\"conv\\",\\"in\\":\\"input\\",\\"out\\":\\"a\\",\\"weight\\":\\"w\\",\\"kernel\\":1,\
            \\"stride\\":1,\\"padding\\":0,\\"channels\\":[3,600],\\"activation\\":\\"none\\"},\
            {\\"op\\":\\"conv\\",\\"in\\":\\"a\\",\\"out\\":\\"x\\",\\"weight\\":\\"v\\",\\"kernel\\":1,\
            \\"stride\\":1,\\"padding\\":0,\\"channels\\":[600,1],\\"activation\\":\\"none\\"}]"},
            "w":{"dtype":"F16","shape":[600,1,1,3],"data_offsets":[0,3600]},
            "v":{"dtype":"F16","shape":[1,1,1,600],"data_offsets":[0,1200]}}
            """
        let bytes = TinyNetwork.file(header: Array(header.utf8), body: [UInt8](repeating: 0, count: 3600))
        let error = #expect(throws: SubjectModelError.self) { _ = try network(bytes) }
        #expect(error?.detail.contains("overlaps another tensor") == true, "\(error?.detail ?? "accepted")")
    }
}

/// The files of `Fixtures`.
enum ModelFixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil))
        return [UInt8](try Data(contentsOf: url))
    }

    /// Little-endian.
    static func floats(_ name: String) throws -> [Float] {
        let bytes = try bytes(name)
        return stride(from: 0, to: bytes.count, by: 4).map { at in
            Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << (8 * $1) })
        }
    }
}
