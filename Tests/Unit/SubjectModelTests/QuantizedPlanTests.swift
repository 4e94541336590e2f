// @testable imports work in debug builds only.
#if DEBUG
import TestSupport
import Testing

@testable import SubjectModel

@Suite("The plan of a network in 8 bits")
struct QuantizedPlanTests {
    @Test("A range becomes 255 steps, one of which is 0")
    func quantization() {
        let relu = Quantization(low: 0, high: 6)
        #expect(relu.zero == 0 && relu.scale == 6.0 / 255)
        let signed = Quantization(low: -1, high: 4.1)
        #expect(signed.zero == 50 && abs(signed.scale - 0.02) < 1e-12)
        // 0 is part of every range.
        #expect(Quantization(low: 2, high: 4) == Quantization(low: 0, high: 4))
    }

    @Test("The largest weight of a channel becomes 127, and halves round to even")
    func weights() {
        let weights = QuantizedWeights([127, -127, 0.5, 1.5, -2.5, 0])
        #expect(weights.bytes == [127, -127, 0, 2, -2, 0] && weights.scale == 1 && weights.sum == 0)
        let tiny = QuantizedWeights([0, 0])
        #expect(tiny.bytes == [0, 0] && tiny.scale > 0)
    }

    @Test("A convolution's sum of bytes becomes the byte of its result")
    func rounding() {
        let input = Quantization(low: -1, high: 4.1)
        let output = Quantization(low: -10, high: 41)
        let weights = QuantizedWeights([0.5, -1.0, 0.25])
        let (scale, offset) = weights.rounding(from: input, bias: 3, to: output)
        let bytes: [Double] = [60, 70, 255]
        let sum = zip(bytes, weights.bytes).reduce(0) { $0 + $1.0 * Double($1.1) }
        let byte = Double(Float(sum) * scale + offset)
        let exact = zip(bytes, [0.5, -1.0, 0.25]).reduce(3) { $0 + ($1.0 - input.zero) * input.scale * $1.1 }
        // Half a step of each weight, of at most 205 steps of the input.
        #expect(abs((byte - output.zero) * output.scale - exact) < 3 * 205 * input.scale * weights.scale / 2)
    }

    @Test("Parts that exist at the same time do not overlap, and memory that is given back is used again")
    func layout() {
        var layout = MemoryLayoutPlan()
        let constant = layout.keep(10)
        let parts = (1...5).map { layout.take($0 * 64) }
        let size = layout.byteCount
        #expect(size == 64 * 16 && parts.allSatisfy { $0.offset.isMultiple(of: MemoryPart.alignment) })
        for index in [1, 3, 2] { layout.giveBack(parts[index]) }
        let merged = layout.take(64 * 9)
        #expect(merged.offset == parts[1].offset && layout.byteCount == size)
        let other = layout.keep(1)
        #expect(other.offset == size)
        layout.giveBack(parts[0])
        layout.giveBack(merged)
        layout.giveBack(parts[4])
        #expect(layout.take(64 * 15).offset == constant.offset + 64)
    }

    private func plan(_ change: (inout TinyNetwork) -> Void) throws -> NetworkPlan {
        var tiny = TinyNetwork()
        change(&tiny)
        return try NetworkPlan(WeightArray(bytes: try tiny.bytes))
    }

    @Test("A network of another kind is rejected")
    func unsuitable() throws {
        let plan = try plan { $0.metadata["ranges"] = "{}" }
        let error = #expect(throws: SubjectModelError.self) {
            _ = try QuantizedNetwork(plan, weights: WeightArray(bytes: try TinyNetwork().bytes))
        }
        #expect(error?.code == .unsupportedNetwork)
    }

    @Test(
        "Invalid ranges are rejected",
        arguments: [
            "[]", #"{"copy":[0]}"#, #"{"copy":[0,1,2]}"#, #"{"copy":[1,2]}"#, #"{"copy":[-1,0]}"#,
            #"{"copy":[-1e308,1e308]}"#, #"{"copy":[0,"1"]}"#, "{",
        ])
    func ranges(text: String) {
        let error = #expect(throws: SubjectModelError.self) { _ = try plan { $0.metadata["ranges"] = text } }
        #expect(error?.code == .badWeights)
    }

    @Test("Ranges are optional")
    func noRanges() throws {
        #expect(try plan { _ in }.graph.ranges == nil)
        let one = try plan { $0.metadata["ranges"] = #"{"copy":[-1,4.1]}"# }
        #expect(one.graph.ranges == ["copy": Quantization(low: -1, high: 4.1)])
    }
}
#endif
