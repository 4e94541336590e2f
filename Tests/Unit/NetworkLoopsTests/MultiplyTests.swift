import CNetworkLoops
import Testing

@Suite("Products of bytes with a matrix")
struct MultiplyTests {
    private static let outputs = [8, 16, 24, 40, 80, 96, 112]
    /// Fewer pixels than in any block, whole blocks of 2, 4, 6, 8, 12 and 16, and blocks that overlap.
    private static let pixels = [1, 3, 4, 7, 12, 16, 17, 35]

    /// Multiplies next to memory that cannot be accessed, on either side.
    private func check(
        _ kernels: Kernels, _ input: [UInt8], _ weights: [Int8], inputs: Int, outputs: Int, _ rounding: Rounding
    ) throws {
        let expected = Reference.multiply(input, weights, inputs: inputs, outputs: outputs, rounding)
        let padded = network_padded(outputs)
        let padding = [Float](repeating: 0, count: padded - outputs)
        for fence in Fence.allCases {
            let memory = FencedMemory(fence)
            let packed = unsafe try memory.buffer(repeating: 1 as Int8, count: padded * inputs)
            unsafe try network_pack(memory.buffer(weights), outputs, inputs, packed)
            let numbers = unsafe try network_rounding(
                scales: memory.buffer(rounding.scales + padding), offsets: memory.buffer(rounding.offsets + padding))
            let output = unsafe try memory.buffer(repeating: 7 as UInt8, count: expected.count)
            unsafe try kernels.functions.multiply(
                memory.buffer(input), expected.count / outputs, inputs, packed, outputs, numbers, output)
            #expect(unsafe memory.elements(output, expected.count) == expected)
        }
    }

    @Test("Every set of kernels gives the defined bytes", arguments: Kernels.available, outputs)
    func products(kernels: Kernels, outputs: Int) throws {
        for pixels in Self.pixels {
            for inputs in [4, 16, 28] {
                let input = Reference.bytes(pixels * inputs, seed: UInt64(pixels))
                let weights = Reference.weights(outputs * inputs, seed: UInt64(inputs))
                let rounding = Reference.rounding(outputs, terms: inputs, seed: 3)
                try check(kernels, input, weights, inputs: inputs, outputs: outputs, rounding)
            }
        }
    }

    @Test("Sums of many extreme products are exact", arguments: Kernels.available, [-127, 127] as [Int8])
    func extremes(kernels: Kernels, weight: Int8) throws {
        let (pixels, inputs, outputs) = (7, 1152, 24)
        let input = [UInt8](repeating: 255, count: pixels * inputs)
        // One smaller weight shows a sum that is off by little.
        var weights = [Int8](repeating: weight, count: outputs * inputs)
        for output in 0..<outputs { weights[output * inputs + output * 7] = Int8(output) }
        let sum = 255 * Float(weight) * Float(inputs)
        let rounding = Rounding(
            scales: (0..<outputs).map { _ in 1.0 / 1024 },
            offsets: (0..<outputs).map { _ in 100 - sum / 1024 })
        try check(kernels, input, weights, inputs: inputs, outputs: outputs, rounding)
    }

    @Test("Results are rounded half to even and clipped", arguments: Kernels.available)
    func rounding(kernels: Kernels) throws {
        let inputs = 4
        let input = (UInt8(0)..<6).flatMap { value -> [UInt8] in [value, 0, 0, 0] }
        let weights = (0..<8).flatMap { _ -> [Int8] in [1, 0, 0, 0] }
        let offsets: [Float] = [0, 1, 252.5, 254, -0.5, -1.5, 1e9, -1e9]
        let rounding = Rounding(scales: [Float](repeating: 0.5, count: 8), offsets: offsets)
        let expected: [[UInt8]] = [
            [0, 0, 1, 2, 2, 2], [1, 2, 2, 2, 3, 4], [252, 253, 254, 254, 254, 255], [254, 254, 255, 255, 255, 255],
            [0, 0, 0, 1, 2, 2], [0, 0, 0, 0, 0, 1], [255, 255, 255, 255, 255, 255], [0, 0, 0, 0, 0, 0],
        ]
        #expect(
            Reference.multiply(input, weights, inputs: inputs, outputs: 8, rounding)
                == (0..<6).flatMap { pixel -> [UInt8] in expected.map { $0[pixel] } })
        try check(kernels, input, weights, inputs: inputs, outputs: 8, rounding)
    }
}
