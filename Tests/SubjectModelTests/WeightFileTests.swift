import SubjectModel
import Testing

/// A damaged or foreign weight file is refused with a reason; it never crashes, and never runs.
struct WeightFileTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: SubjectModelError.Code
        let change: @Sendable (inout TinyNetwork) -> Void

        init(
            _ description: String, _ code: SubjectModelError.Code,
            _ change: @escaping @Sendable (inout TinyNetwork) -> Void
        ) {
            testDescription = description
            self.code = code
            self.change = change
        }
    }

    private static func convolution(_ changes: (String, String)...) -> String {
        changes.reduce(TinyNetwork().operations[0]) { $0.replacing($1.0, with: $1.1) }
    }

    static let cases: [Case] = [
        Case("another format", .unsupportedNetwork) { $0.format = "subject-2" },
        Case("a mean that is no number", .badWeights) { $0.mean = "grey" },
        Case("a standard deviation of zero", .badWeights) { $0.std = "0" },
        Case("an infinite standard deviation", .badWeights) { $0.std = "inf" },
        Case("an output nobody makes", .badWeights) { $0.output = "elsewhere" },
        Case("the input as the output", .badWeights) { $0.output = "input" },
        Case("no operations", .badWeights) { $0.operations = [] },
        Case("a graph that is not JSON", .unsupportedNetwork) { $0.operations = ["{"] },
        Case("an unknown operation", .unsupportedNetwork) { $0.operations = [convolution(("conv", "softmax"))] },
        Case("an unknown activation", .unsupportedNetwork) { $0.operations = [convolution(("none", "gelu"))] },
        Case("a value read before it is made", .badWeights) { $0.operations = [convolution(("input", "later"))] },
        Case("a value made twice", .badWeights) { $0.operations += $0.operations },
        Case("too few channels", .badWeights) { $0.operations = [convolution(("[3,1]", "[2,1]"))] },
        Case("three channel counts", .unsupportedNetwork) { $0.operations = [convolution(("[3,1]", "[3,1,1]"))] },
        Case("a stride of zero", .badWeights) { $0.operations = [convolution(("\"stride\":1", "\"stride\":0"))] },
        Case("a negative padding", .badWeights) { $0.operations = [convolution(("\"padding\":0", "\"padding\":-1"))] },
        Case("a huge kernel", .badWeights) {
            $0.operations = [convolution(("\"kernel\":1", "\"kernel\":\(Int.max)"))]
        },
        Case("more output than memory", .unsupportedNetwork) {
            $0.operations = [convolution(("[3,1]", "[3,4096]"))]
        },
        Case("an output of another size", .unsupportedNetwork) {
            $0 = $0.followed(by: #"{"op":"upsample2x","in":"copy","out":"large"}"#, makes: "large")
        },
        Case("an addition of three", .unsupportedNetwork) {
            $0 = $0.followed(
                by: #"{"op":"add","in":["copy","copy","copy"],"out":"sum","activation":"none"}"#, makes: "sum")
        },
        Case("an addition of unlike values", .badWeights) {
            $0 = $0.followed(by: #"{"op":"add","in":["copy","input"],"out":"sum","activation":"none"}"#, makes: "sum")
        },
        Case("a missing tensor", .badWeights) { $0.tensors.removeLast() },
        Case("a weight of another shape", .badWeights) { $0.tensors[0].shape = [3, 1, 1, 1] },
        Case("a shape that overflows", .badWeights) { $0.tensors[0].shape = [Int.max, Int.max] },
        Case("a negative shape", .badWeights) { $0.tensors[0].shape = [-1, -3] },
        Case("weights in fp32", .unsupportedNetwork) { $0.tensors[0].dtype = "F32" },
        Case("offsets beyond the file", .badWeights) { $0.excess = 1 << 40 },
        Case("offsets of the wrong length", .badWeights) { $0.tensors[0].values.append(0) },
    ]

    @Test("A file is refused that has", arguments: cases)
    func refused(_ damage: Case) throws {
        var network = TinyNetwork()
        damage.change(&network)
        let bytes = try network.bytes
        let error = #expect(throws: SubjectModelError.self) { try SubjectNetwork(weights: bytes) }
        #expect(error?.code == damage.code, "\(error?.description ?? "nothing thrown")")
        #expect(error?.detail.isEmpty == false)
    }

    @Test("A file cut short anywhere is refused")
    func truncated() throws {
        let bytes = try TinyNetwork().bytes
        for length in bytes.indices {
            let error = #expect(throws: SubjectModelError.self) { try SubjectNetwork(weights: Array(bytes[..<length])) }
            #expect(error?.code == .badWeights)
        }
    }

    @Test(
        "A header that lies is refused",
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
