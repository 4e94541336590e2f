import CNetworkLoops
import Testing

@Suite("Weights from files")
struct WeightTests {
    @Test("All 65,536 numbers of 16 bits are widened as Float16 does, at any address", arguments: Fence.allCases)
    func widened(fence: Fence) throws {
        let halves = Array(UInt16.min...UInt16.max)
        let memory = FencedMemory(fence)
        let output = unsafe try memory.buffer(repeating: 1 as Float, count: halves.count)
        let bytes = halves.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        unsafe try network_widen(memory.buffer(bytes), halves.count, output)
        for (half, value) in unsafe zip(halves, memory.elements(output, halves.count)) {
            let expected = Float(Float16(bitPattern: half))
            #expect(value.bitPattern == expected.bitPattern || value.isNaN && expected.isNaN, "\(half)")
        }
        var moved = [Float](repeating: 1, count: halves.count)
        unsafe try network_widen(memory.buffer([0] + bytes) + 1, halves.count, &moved)
        #expect(unsafe moved.map(\.bitPattern) == memory.elements(output, halves.count).map(\.bitPattern))
    }

    @Test("An infinite number is found at each place", arguments: [1, 7, 16, 33])
    func infinite(count: Int) throws {
        for number in [Float.infinity, -.infinity, .nan, .signalingNaN] {
            for place in 0..<count {
                var numbers = [Float](repeating: -.greatestFiniteMagnitude, count: count)
                #expect(unsafe network_are_finite(numbers, count) == 1)
                numbers[place] = number
                #expect(unsafe network_are_finite(numbers, count) == 0)
            }
        }
    }

    /// Of one output channel.
    private static func expected(_ weights: [Float]) -> (bytes: [Int8], scale: Double, sum: Int32) {
        let largest = weights.reduce(0) { max($0, abs($1)) }
        let scale = largest > 0 ? Double(largest) / 127 : 1
        let bytes = weights.map { Int8((Double($0) / scale).rounded(.toNearestOrEven)) }
        return (bytes, scale, bytes.reduce(0) { $0 + Int32($1) })
    }

    /// Quantizes rows next to memory that cannot be accessed, on either side, in both orders of the weights.
    private func check(_ rows: [[Float]]) throws {
        let (channels, count) = (rows.count, rows[0].count)
        let expected = rows.map(Self.expected)
        let padding = [Int8](repeating: 0, count: (count + 3) / 4 * 4 - count)
        let columns = (0..<count).map { index in rows.map { $0[index] } }
        let taps = (0..<count).flatMap { index in expected.map { $0.bytes[index] } }
        for fence in Fence.allCases {
            let memory = FencedMemory(fence)
            let results = unsafe try memory.buffer(repeating: network_quantization(), count: channels)
            let padded = expected.flatMap { $0.bytes + padding }
            let matrix = unsafe try memory.buffer(repeating: 9 as Int8, count: padded.count)
            unsafe try network_quantize(memory.buffer(rows.flatMap { $0 }), channels, count, matrix, results)
            #expect(unsafe memory.elements(matrix, padded.count) == padded)
            let others = unsafe try memory.buffer(repeating: network_quantization(), count: channels)
            let bytes = unsafe try memory.buffer(repeating: 9 as Int8, count: taps.count)
            unsafe try network_quantize_depthwise(memory.buffer(columns.flatMap { $0 }), channels, count, bytes, others)
            #expect(unsafe memory.elements(bytes, taps.count) == taps)
            for quantizations in unsafe [memory.elements(results, channels), memory.elements(others, channels)] {
                #expect(quantizations.map(\.scale) == expected.map(\.scale))
                #expect(quantizations.map(\.sum) == expected.map(\.sum))
            }
        }
    }

    @Test("Weights become the defined bytes", arguments: [1, 3, 16, 27, 144])
    func quantized(count: Int) throws {
        for channels in [1, 5, 48] {
            let bytes = Reference.bytes(channels * count * 2, seed: UInt64(count))
            try check(
                (0..<channels).map { channel in
                    (0..<count).map { index in
                        let at = (channel * count + index) * 2
                        return (Float(bytes[at]) + Float(bytes[at + 1]) / 256 - 128) / Float(channel + 1)
                    }
                })
        }
    }

    @Test("The largest weight of a channel becomes 127, and halves round to even")
    func halves() throws {
        let row: [Float] = [127, -127, 0.5, 1.5, -2.5, 0]
        let zeros: [Float] = [0, -0, 0, 0, 0, 0]
        #expect(Self.expected(row) == ([127, -127, 0, 2, -2, 0], 1, 0) && Self.expected(zeros).scale == 1)
        try check([row, zeros, row.map { $0 * 0x1p-130 }, row.map { -$0 * 0x1p120 }])
    }
}
