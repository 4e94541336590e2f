import SubjectModel
import TestSupport
import Testing

/// A change that makes a network unsuitable, and the code of the error.
struct Damage<Network>: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: SubjectModelError.Code
    let apply: @Sendable (inout Network) -> Void

    init(
        _ description: String, _ code: SubjectModelError.Code = .unsupportedNetwork,
        _ apply: @escaping @Sendable (inout Network) -> Void
    ) {
        (testDescription, self.code, self.apply) = (description, code, apply)
    }
}

/// A damaged or unrelated weight file is rejected with a reason; it neither crashes the process nor runs.
struct WeightFileTests {
    typealias Case = Damage<TinyNetwork>

    /// The network with other text in its first operation.
    private static func changed(_ description: String, _ code: SubjectModelError.Code, _ text: String, to other: String)
        -> Case
    {
        Case(description, code) { $0.operations[0] = $0.operations[0].replacing(text, with: other) }
    }

    static let cases: [Case] = [
        Case("another format", .unsupportedNetwork) { $0.format = "subject-2" },
        Case("a mean that is not a number", .badWeights) { $0.mean = "grey" },
        Case("a standard deviation of zero", .badWeights) { $0.std = "0" },
        Case("an infinite standard deviation", .badWeights) { $0.std = "inf" },
        Case("a standard deviation too small to divide by", .badWeights) { $0.std = "1e-42" },
        Case("a mean that is infinite when divided by the deviation", .badWeights) {
            ($0.mean, $0.std) = ("1e38", "0.5,0.5,1e-3")
        },
        Case("an output that no operation makes", .badWeights) { $0.output = "elsewhere" },
        Case("the input as the output", .badWeights) { $0.output = "input" },
        Case("no operations", .badWeights) { $0.operations = [] },
        Case("a graph that is not JSON", .unsupportedNetwork) { $0.operations = ["{"] },
        changed("an unknown operation", .unsupportedNetwork, "conv", to: "softmax"),
        changed("an unknown activation", .unsupportedNetwork, "none", to: "gelu"),
        changed("a value read before it is made", .badWeights, "input", to: "later"),
        Case("a value made twice", .badWeights) { $0.operations += $0.operations },
        changed("too few channels", .badWeights, "[3,1]", to: "[2,1]"),
        changed("three channel counts", .unsupportedNetwork, "[3,1]", to: "[3,1,1]"),
        changed("a stride of zero", .badWeights, #""stride":1"#, to: #""stride":0"#),
        changed("a negative padding", .badWeights, #""padding":0"#, to: #""padding":-1"#),
        changed("a huge kernel", .badWeights, #""kernel":1"#, to: #""kernel":\#(Int.max)"#),
        changed("more output than memory", .unsupportedNetwork, "[3,1]", to: "[3,4096]"),
        Case("an output of another size", .unsupportedNetwork) {
            $0 = $0.followed(by: #"{"op":"upsample2x","in":"copy","out":"x"}"#)
        },
        Case("an addition of three", .unsupportedNetwork) {
            $0 = $0.followed(by: #"{"op":"add","in":["copy","copy","copy"],"out":"x","activation":"none"}"#)
        },
        Case("an addition of unlike values", .badWeights) {
            $0 = $0.followed(by: #"{"op":"add","in":["copy","input"],"out":"x","activation":"none"}"#)
        },
        Case("a missing tensor", .badWeights) { $0.tensors.removeLast() },
        Case("a weight of another shape", .badWeights) { $0.tensors[0].shape = [3, 1, 1, 1] },
        Case("a shape that overflows", .badWeights) { $0.tensors[0].shape = [Int.max, Int.max] },
        Case("a negative shape", .badWeights) { $0.tensors[0].shape = [-1, -3] },
        Case("weights in bf16", .unsupportedNetwork) { $0.tensors[0].dtype = "BF16" },
        Case("fp16 weights called fp32", .badWeights) {
            $0.tensors[0] = ("w", "F16", [1, 1, 1, 3], [1, 0])
        },
        Case("a weight of NaN", .badWeights) { $0.tensors[0].values[1] = .nan },
        Case("an infinite weight", .badWeights) { $0.tensors[1].values[0] = .infinity },
        Case("a mean of two numbers", .badWeights) { $0.mean = "0.5,0.5" },
        Case("a mean with one NaN", .badWeights) { $0.mean = "0.5,nan,0.5" },
        Case("a deviation with one negative number", .badWeights) { $0.std = "0.5,-1,0.5" },
        Case("an input without width", .badWeights) { $0.metadata["width"] = "0" },
        Case("an input of a huge height", .badWeights) { $0.metadata["height"] = "\(Int.max)" },
        Case("an unknown stretch", .unsupportedNetwork) { $0.metadata["stretch"] = "maybe" },
        Case("a cycle", .badWeights) {
            $0.operations = [
                #"{"op":"add","in":["input","b"],"out":"a","activation":"none"}"#,
                #"{"op":"add","in":["input","a"],"out":"b","activation":"none"}"#,
            ]
            $0.output = "b"
        },
        Case("more operations than allowed", .unsupportedNetwork) {
            $0.operations += (0..<4096).map { #"{"op":"sigmoid","in":"copy","out":"s\#($0)"}"# }
        },
        changed("a kernel with taps outside the input", .badWeights, #""kernel":1"#, to: #""kernel":3,"dilation":200"#),
        changed("a dilation of zero", .badWeights, #""kernel":1"#, to: #""kernel":1,"dilation":0"#),
        changed("a padding that overflows", .badWeights, #""padding":0"#, to: #""padding":\#(Int.max)"#),
        Case("a pooling of single pixels", .badWeights) {
            $0 = $0.followed(
                by: #"{"op":"maxPool","in":"copy","out":"x","kernel":1,"stride":1,"padding":0,"ceil":false}"#)
        },
        Case("a pooling that skips pixels", .badWeights) {
            $0 = $0.followed(
                by: #"{"op":"maxPool","in":"copy","out":"x","kernel":2,"stride":3,"padding":0,"ceil":false}"#)
        },
        Case("a resize to nothing", .unsupportedNetwork) {
            $0 = $0.followed(by: #"{"op":"resize","in":"copy","out":"x","height":0,"width":5,"alignment":"halfPixel"}"#)
        },
        Case("a resize to a huge size", .unsupportedNetwork) {
            $0 = $0.followed(
                by: #"{"op":"resize","in":"copy","out":"x","height":\#(Int.max),"width":5,"alignment":"halfPixel"}"#)
        },
        Case("a concatenation of one", .unsupportedNetwork) {
            $0 = $0.followed(by: #"{"op":"concat","in":["copy"],"out":"x"}"#)
        },
        Case("a concatenation of unlike sizes", .badWeights) {
            $0 = $0.followed(
                by: #"{"op":"upsample2x","in":"copy","out":"u"},{"op":"concat","in":["copy","u"],"out":"x"}"#)
        },
        Case("more memory than the limit", .unsupportedNetwork) {
            ($0.metadata["width"], $0.metadata["height"]) = ("4096", "4096")
            let halves = (0..<40).map { #"{"op":"concat","in":["copy","copy"],"out":"c\#($0)"}"# }
            let sums = (1..<40).map {
                let before = $0 == 1 ? "c0" : "s\($0 - 1)"
                return #"{"op":"add","in":["\#(before)","c\#($0)"],"out":"s\#($0)","activation":"none"}"#
            }
            $0.operations += halves + sums
            $0 = $0.followed(by: TinyNetwork.layer("conv", "s39", to: "x", weight: "l", channels: "2,1"))
            $0.tensors.append(("l", "F16", [1, 1, 1, 2], [1, 1]))
        },
        Case("more arithmetic than the limit", .unsupportedNetwork) {
            ($0.metadata["width"], $0.metadata["height"]) = ("1024", "1024")
            $0 = $0.followed(
                by: TinyNetwork.layer("depthwise", "copy", to: "x", weight: "l", kernel: 1025, padding: 512))
            $0.tensors.append(("l", "F16", [1, 1025, 1025, 1], [Float](repeating: 0, count: 1025 * 1025)))
        },
        Case("more comparisons than the limit", .unsupportedNetwork) {
            ($0.metadata["width"], $0.metadata["height"]) = ("2048", "2048")
            $0 = $0.followed(
                by: #"{"op":"maxPool","in":"copy","out":"x","kernel":513,"stride":1,"padding":256,"ceil":false}"#)
        },
        Case("offsets beyond the file", .badWeights) { $0.excess = 1 << 40 },
        Case("offsets of the wrong length", .badWeights) { $0.tensors[0].values.append(0) },
    ]

    @Test("A file is rejected if it has", arguments: cases)
    func refused(_ damage: Case) throws {
        var network = TinyNetwork()
        damage.apply(&network)
        let bytes = try network.bytes
        let error = #expect(throws: SubjectModelError.self) { try SubjectNetwork(weights: bytes) }
        #expect(error?.code == damage.code, "\(error?.description ?? "nothing thrown")")
        #expect(error?.detail.isEmpty == false)
    }

    @Test("The reason is short, whatever the file contains")
    func reason() throws {
        var network = TinyNetwork()
        network.tensors[1].shape = [Int](repeating: 1, count: 100_000)
        let bytes = try network.bytes
        let error = try #require(throws: SubjectModelError.self) { try SubjectNetwork(weights: bytes) }
        #expect(error.detail.hasPrefix("the tensor b has shape [1, 1"))
        #expect(error.detail.utf8.count <= SubjectModelError.detailLimit)
    }

    @Test("A truncated file is rejected, wherever it ends")
    func truncated() throws {
        let bytes = try TinyNetwork().bytes
        for length in bytes.indices {
            let error = #expect(throws: SubjectModelError.self) { try SubjectNetwork(weights: Array(bytes[..<length])) }
            #expect(error?.code == .badWeights)
        }
    }

    @Test(
        "A wrong header is rejected",
        arguments: [
            [UInt8](repeating: 255, count: 64), [UInt8](repeating: 0, count: 64),
            TinyNetwork.file(header: Array("[]".utf8)), TinyNetwork.file(header: Array("{}".utf8)),
            TinyNetwork.file(header: [0x7b, 0xff, 0xfe, 0x7d]),
            TinyNetwork.file(header: [UInt8](repeating: 0x5b, count: 100_000)),
            TinyNetwork.file(header: Array(#"{"w":{"dtype":"F16","shape":[1],"data_offsets":[2,0]}}"#.utf8)),
        ])
    func lyingHeader(bytes: [UInt8]) {
        let error = #expect(throws: SubjectModelError.self) { try SubjectNetwork(weights: bytes) }
        #expect(error?.code == .badWeights)
    }
}
