import CNetworkLoops
import Foundation
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

    @Test("A convolution's sum of bytes becomes the byte of its result")
    func rounding() throws {
        let input = Quantization(low: -1, high: 4.1)
        let output = Quantization(low: -10, high: 41)
        // Of 0.5, −1 and 0.25.
        let weights: [Double] = [64, -127, 32]
        let quantization = network_quantization(scale: 1.0 / 127, sum: -31)
        let (scale, offset) = try quantization.rounding(from: input, bias: 3, to: output, terms: 3)
        let bytes: [Double] = [60, 70, 255]
        let sum = zip(bytes, weights).reduce(0) { $0 + $1.0 * $1.1 }
        let byte = Double(Float(sum) * scale + offset)
        let exact = zip(bytes, [0.5, -1.0, 0.25]).reduce(3) { $0 + ($1.0 - input.zero) * input.scale * $1.1 }
        // Half a step of each weight, of at most 205 steps of the input.
        #expect(abs((byte - output.zero) * output.scale - exact) < 3 * 205 * input.scale * quantization.scale / 2)
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

    private static let operation = #"{"op":"add","in":["a","b"],"out":"c","activation":"relu6"}"#

    @Test("A range is read for its value")
    func range() throws {
        let operation = try JSONDecoder().decode(NetworkOperation.self, from: Data(Self.operation.utf8))
        let ranges = try ValueRanges(#"{"c":[0,5.1],"d":[1,2,3]}"#)
        #expect(try ranges.quantization(of: operation) == Quantization(low: 0, high: 5.1))
    }

    @Test(
        "Invalid ranges are rejected, with the value's name",
        arguments: [
            "{}", #"{"c":[0]}"#, #"{"c":[0,1,2]}"#, #"{"c":[1,2]}"#, #"{"c":[-1,0]}"#, #"{"c":[0,5e-324]}"#,
            // Beyond relu6.
            #"{"c":[-1,6]}"#, #"{"c":[0,6.1]}"#,
        ])
    func invalid(text: String) throws {
        let operation = try JSONDecoder().decode(NetworkOperation.self, from: Data(Self.operation.utf8))
        let ranges = try ValueRanges(text)
        let error = #expect(throws: SubjectModelError.self) { _ = try ranges.quantization(of: operation) }
        #expect(error?.code == .badWeights && error?.detail.contains("range of c") == true)
    }

    @Test(
        "Text that is no object of lists is rejected, as is a file without ranges",
        arguments: [nil, "[]", "{", #"{"c":[0,"1"]}"#])
    func unreadable(text: String?) {
        let error = #expect(throws: SubjectModelError.self) { _ = try ValueRanges(text) }
        #expect(error?.code == .badWeights)
    }
}
