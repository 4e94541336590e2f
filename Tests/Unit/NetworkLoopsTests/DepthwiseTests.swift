import CNetworkLoops
import Testing

@Suite("Convolutions of single channels")
struct DepthwiseTests {
    private static let sizes = [(1, 1), (2, 1), (1, 3), (4, 4), (5, 6), (17, 9)]

    private static func expected(
        _ picture: Picture, kernel: Int, stride: Int, _ weights: [Int8], _ rounding: Rounding
    ) -> [UInt8] {
        let channels = picture.channels
        let planes = (0..<channels).map { channel in
            Reference.sums(picture, channel: channel, kernel: kernel, stride: stride) { row, column in
                weights[(row * kernel + column) * channels + channel]
            }
        }
        return planes[0].indices.flatMap { pixel in
            (0..<channels).map { channel in rounding.byte(planes[channel][pixel], channel) }
        }
    }

    /// Convolves next to memory that cannot be accessed, on either side.
    private func check(
        _ kernels: Kernels, _ picture: Picture, kernel: Int, stride: Int, _ weights: [Int8], _ rounding: Rounding
    ) throws {
        let channels = picture.channels
        let expected = Self.expected(picture, kernel: kernel, stride: stride, weights, rounding)
        for fence in Fence.allCases {
            let memory = FencedMemory(fence)
            let packed = unsafe try memory.buffer(repeating: 1 as Int8, count: network_depthwise_size(channels, kernel))
            unsafe try network_pack_depthwise(memory.buffer(weights), channels, kernel, packed)
            let numbers = unsafe try network_rounding(
                scales: memory.buffer(rounding.scales), offsets: memory.buffer(rounding.offsets))
            let scratch = unsafe try memory.buffer(
                repeating: 9 as UInt8, count: network_depthwise_scratch(picture.width))
            let output = unsafe try memory.buffer(repeating: 7 as UInt8, count: expected.count)
            unsafe try kernels.functions.depthwise(
                memory.buffer(picture.bytes), picture.shape, kernel, stride, packed, numbers, scratch, output)
            #expect(unsafe memory.elements(output, expected.count) == expected)
        }
    }

    @Test(
        "Every set of kernels gives the defined bytes", arguments: Kernels.available, [(3, 1), (3, 2), (5, 1), (5, 2)])
    func convolutions(kernels: Kernels, form: (kernel: Int, stride: Int)) throws {
        for (width, height) in Self.sizes {
            for channels in [16, 48] {
                let picture = Picture(width, height, channels, seed: UInt64(width))
                let weights = Reference.weights(channels * form.kernel * form.kernel, seed: UInt64(channels))
                let rounding = Reference.rounding(channels, terms: form.kernel * form.kernel, seed: 3)
                try check(kernels, picture, kernel: form.kernel, stride: form.stride, weights, rounding)
            }
        }
    }

    @Test("Sums of extreme products are exact", arguments: Kernels.available, [-127, 127] as [Int8])
    func extremes(kernels: Kernels, weight: Int8) throws {
        let channels = 16
        for kernel in [3, 5] {
            let picture = Picture(6, 5, channels, byte: 255)
            let weights = [Int8](repeating: weight, count: channels * kernel * kernel)
            let sum = 255 * Float(weight) * Float(kernel * kernel)
            let rounding = Rounding(
                scales: (0..<channels).map { _ in -100 / sum }, offsets: (0..<channels).map { 120 + Float($0) })
            try check(kernels, picture, kernel: kernel, stride: 1, weights, rounding)
        }
    }
}
