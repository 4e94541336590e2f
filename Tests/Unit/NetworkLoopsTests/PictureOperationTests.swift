import CNetworkLoops
import Testing

@Suite("Operations on pictures of bytes")
struct PictureOperationTests {
    @Test("Neighborhoods are around every second pixel", arguments: [(2, 2), (2, 6), (8, 4), (18, 10)], Fence.allCases)
    func neighborhoods(size: (width: Int, height: Int), fence: Fence) throws {
        let picture = Picture(size.width, size.height, 3, seed: 1)
        var expected: [UInt8] = []
        for y in stride(from: 0, to: size.height, by: 2) {
            for x in stride(from: 0, to: size.width, by: 2) {
                for row in y - 1...y + 1 {
                    for column in x - 1...x + 1 {
                        expected += (0..<3).map { picture.byte(column, row, $0) ?? 77 }
                    }
                }
                expected.append(0)
            }
        }
        let memory = FencedMemory(fence)
        let output = unsafe try memory.buffer(repeating: 7 as UInt8, count: expected.count)
        unsafe try network_neighborhoods(memory.buffer(picture.bytes), picture.shape, 77, output)
        #expect(unsafe memory.elements(output, expected.count) == expected)
    }

    /// What each set of kernels writes next to memory that cannot be accessed, on either side, must be `expected`.
    private func check<Element: BitwiseCopyable & Equatable>(
        _ expected: [Element], repeating old: Element,
        _ write: (FencedMemory, network_kernels, UnsafeMutablePointer<Element>) throws -> Void
    ) throws {
        for kernels in Kernels.available {
            for fence in Fence.allCases {
                let memory = FencedMemory(fence)
                let output = unsafe try memory.buffer(repeating: old, count: expected.count)
                unsafe try write(memory, kernels.functions, output)
                #expect(unsafe memory.elements(output, expected.count) == expected, "\(kernels.testDescription)")
            }
        }
    }

    @Test("Colors of transparent pixels are mixed with gray", arguments: [1, 3, 4, 23])
    func colors(count: Int) throws {
        for opaque in [0, 3, 9, 23] {
            var pixels = Reference.bytes(4 * count, seed: 9)
            for pixel in 0..<min(opaque, count) { pixels[4 * pixel + 3] = 255 }
            let expected = pixels.indices.filter { $0 % 4 < 3 }.map { index in
                let alpha = Int(pixels[index / 4 * 4 + 3])
                return UInt8((Int(pixels[index]) * alpha + 124 * (255 - alpha) + 127) / 255)
            }
            unsafe try check(expected, repeating: 7) { memory, kernels, output in
                unsafe try kernels.colors(memory.buffer(pixels), count, 124, output)
            }
        }
    }

    @Test("Sums of two values are rounded and clipped", arguments: [16, 32, 4096])
    func add(count: Int) throws {
        let (a, b) = (Reference.bytes(count, seed: 1), Reference.bytes(count, seed: 2))
        for (first, second, offset) in [(0.61, 0.83, -40.3), (0.5, 0.5, 0), (2, -1, 3)] as [(Float, Float, Float)] {
            let expected = zip(a, b).map { a, b in
                let sum = Float(a) * first + Float(b) * second
                return Reference.byte(sum + offset)
            }
            unsafe try check(expected, repeating: 7) { memory, kernels, output in
                unsafe try kernels.add(
                    memory.buffer(a), memory.buffer(b), count, memory.buffer([first, second]), offset, output)
            }
        }
    }

    @Test(
        "Doubling mixes the nearest pixels, clamped at the edges", arguments: [(1, 1), (1, 4), (3, 1), (5, 6)])
    func double(size: (width: Int, height: Int)) throws {
        for channels in [16, 48] {
            let picture = Picture(size.width, size.height, channels, seed: 5)
            var expected: [UInt8] = []
            for y in 0..<2 * size.height {
                for x in 0..<2 * size.width {
                    let (rows, columns) = (Reference.doubled(y, size.height), Reference.doubled(x, size.width))
                    for channel in 0..<channels {
                        func mixed(_ x: Int) -> Int {
                            3 * Int(picture.byte(x, rows.0, channel) ?? 0) + Int(picture.byte(x, rows.1, channel) ?? 0)
                        }
                        expected.append(UInt8((3 * mixed(columns.0) + mixed(columns.1) + 8) / 16))
                    }
                }
            }
            unsafe try check(expected, repeating: 7) { memory, kernels, output in
                unsafe try kernels.double_sides(memory.buffer(picture.bytes), picture.shape, output)
            }
        }
    }

    @Test("Averages are of whole channels", arguments: [(1, 1), (3, 2), (10, 10)])
    func average(size: (width: Int, height: Int)) throws {
        for channels in [16, 112] {
            let picture = Picture(size.width, size.height, channels, seed: 6)
            let pixels = size.width * size.height
            let scale = 1.3 / Float(pixels)
            let expected = (0..<channels).map { channel in
                let product = Float((0..<pixels).reduce(0) { $0 + Int(picture.bytes[$1 * channels + channel]) }) * scale
                return Reference.byte(product + 4.4)
            }
            unsafe try check(expected, repeating: 7) { memory, kernels, output in
                unsafe try kernels.average(memory.buffer(picture.bytes), picture.shape, scale, 4.4, output)
            }
        }
    }

    @Test("The head sums 16 channels of 3 x 3 pixels", arguments: [(1, 1), (1, 5), (4, 1), (7, 6)])
    func head(size: (width: Int, height: Int)) throws {
        let weights = Reference.weights(9 * 16, seed: 8)
        let extremes = (0..<9 * 16).map { $0 % 2 == 0 ? -127 : 127 as Int8 }
        let pictures = [Picture(size.width, size.height, 16, seed: 7), Picture(size.width, size.height, 16, byte: 255)]
        for (picture, weights) in zip(pictures, [weights, extremes]) {
            var sums = [Int32](repeating: 0, count: size.width * size.height)
            for channel in 0..<16 {
                let plane = Reference.sums(picture, channel: channel, kernel: 3, stride: 1) { row, column in
                    weights[(row * 3 + column) * 16 + channel]
                }
                for (index, sum) in plane.enumerated() { sums[index] += sum }
            }
            let expected = sums.map { sum in
                let product = Float(sum) * 0.0123
                return product - 1.7
            }
            unsafe try check(expected, repeating: 7) { memory, kernels, output in
                unsafe try kernels.head(
                    memory.buffer(picture.bytes), picture.shape, memory.buffer(weights), 0.0123, -1.7, output)
            }
        }
    }
}
