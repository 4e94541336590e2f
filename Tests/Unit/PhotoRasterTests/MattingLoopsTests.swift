import CRasterLoops
import Testing

/// The loops over a matte, for each kind of processor, compared with their definitions, one pixel at a time.
@Suite("Loops over the pixels of a matte")
struct MattingLoopsTests {
    private static let kernels: [Int] = {
        var count = 0
        while unsafe raster_available_kernels(count) != nil { count += 1 }
        return Array(0..<count)
    }()

    /// A row of a photo and of a matte, and a grid's values around it.
    private struct Row {
        static let block = 3
        let width: Int
        let pixels: [UInt8]
        let matte: [Float]
        /// The grid's row above and below: two groups of four channels, a color and its weight.
        let grid: [[SIMD8<Float>]]
        let share: Float = 0.3

        init(width: Int) {
            self.width = width
            var state: UInt64 = 7
            func random() -> Float {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Float(state >> 40) / Float(1 << 24)
            }
            pixels = (0..<4 * width).map { $0 % 4 == 3 ? 255 : UInt8(random() * 255) }
            matte = (0..<width).map { _ in min(max(random() * 1.5 - 0.25, 0), 1) }
            grid = (0..<2).map { _ in
                (0..<(width + Self.block - 1) / Self.block).map { _ in
                    let (known, other) = (random(), random() < 0.2 ? 0 : random())
                    let subject = SIMD4(random(), random(), random(), 1) * known
                    return SIMD8(lowHalf: subject, highHalf: SIMD4(random(), random(), random(), 1) * other)
                }
            }
        }

        func color(_ x: Int) -> SIMD3<Float> {
            SIMD3(Float(pixels[4 * x]), Float(pixels[4 * x + 1]), Float(pixels[4 * x + 2])) / 255
        }

        /// Bilinear between the centers of blocks.
        func value(_ x: Int) -> SIMD8<Float> {
            let place = max((Float(x) + 0.5) / Float(Self.block) - 0.5, 0)
            let left = Int(place)
            let across = grid.map { $0[left] + ($0[min(left + 1, $0.count - 1)] - $0[left]) * (place - Float(left)) }
            return across[0] + (across[1] - across[0]) * share
        }

        /// The subject's fraction of the pixel's color, and how well that explains it; nil if a color is unknown.
        func mixture(_ x: Int, leastContrast: Float) -> (
            share: Float, fit: Float, subject: SIMD3<Float>, background: SIMD3<Float>
        )? {
            let both = value(x)
            guard min(both[3], both[7]) > 0.0001 else { return nil }
            let subject = SIMD3(both[0], both[1], both[2]) / both[3]
            let background = SIMD3(both[4], both[5], both[6]) / both[7]
            let (step, own) = (subject - background, color(x) - background)
            let distance = (step * step).sum()
            let share = min(max((own * step).sum() / (distance + .ulpOfOne), 0), 1)
            let miss = own - step * share
            let fit = distance / (distance + leastContrast) / (1 + (miss * miss).sum() / (0.1 * distance + 0.001))
            return (share, fit, subject, background)
        }

        /// Calls `body` with the kernels and the rows of the grid, interpolated across by them.
        @unsafe func with(_ kernels: Int, _ body: (raster_kernels, raster_rows) -> Void) {
            // The arguments of the test are only numbers for which there is a table.
            guard let table = unsafe raster_available_kernels(kernels) else { fatalError("no kernels at \(kernels)") }
            let functions = unsafe table.pointee
            let expanded = grid.map { row in
                var out = [Float](repeating: -9, count: 8 * width)
                let floats = row.flatMap { value in (0..<8).map { value[$0] } }
                unsafe functions.expand(floats, 8, row.count, Self.block, 0, width, width, &out)
                return out
            }
            unsafe expanded[0].withUnsafeBufferPointer { above in
                unsafe expanded[1].withUnsafeBufferPointer { below in
                    unsafe body(
                        functions,
                        raster_rows(
                            above: above.baseAddress, below: below.baseAddress, stride: width, share: share))
                }
            }
        }
    }

    @Test("They give what their definitions say", arguments: kernels, [1, 2, 3, 4, 7, 8, 9, 16, 31, 64, 200])
    func definitions(kernels: Int, width: Int) {
        let row = Row(width: width)
        func isNear(_ result: [Float], _ expected: (_ x: Int) -> Float) -> Bool {
            result.indices.allSatisfy { abs(result[$0] - expected($0)) < 0.001 }
        }
        func fitted(_ x: Int) -> Float {
            let weights = row.value(x)
            return (row.color(x) * SIMD3(weights[0], weights[1], weights[2])).sum() + weights[3]
        }
        func clipped(_ value: Float) -> Float { min(max(value, 0), 1) }
        unsafe row.with(kernels) { functions, rows in
            var guided = row.matte
            unsafe functions.guide(&guided, row.pixels, 0, width, rows, 1.5)
            #expect(
                isNear(guided) { x in
                    let value = row.matte[x]
                    guard value > 0, value < 1 else { return value }
                    let moved = value + (clipped(fitted(x)) - value) * 4 * value * (1 - value)
                    return clipped((moved - 0.5) * 1.5 + 0.5)
                })
            var cleared = row.matte
            unsafe functions.clear(&cleared, row.pixels, 0, width, rows, rows, 4)
            #expect(
                isNear(cleared) { x in
                    row.matte[x] + (clipped((fitted(x) - 0.5) * 4 + 0.5) - row.matte[x]) * row.value(x)[0]
                })
            var sharp = row.matte
            unsafe functions.sharpen(&sharp, row.pixels, 0, width, rows, 0.2)
            #expect(
                isNear(sharp) { x in
                    let value = row.matte[x]
                    guard let mixture = row.mixture(x, leastContrast: 0.2) else { return value }
                    return value + (mixture.share - value) * 4 * value * (1 - value) * mixture.fit
                })
            var pixels = row.pixels
            unsafe functions.uncover(&pixels, row.matte, 0, width, rows, 0.02)
            for x in 0..<width {
                let before = row.color(x) * 255
                var expected = before
                if row.matte[x] > 0, let mixture = row.mixture(x, leastContrast: 0.02) {
                    let opacity = min(row.matte[x], 1 - (1 - mixture.share) * mixture.fit)
                    let rest = row.color(x) - mixture.subject * opacity - mixture.background * (1 - opacity)
                    expected = (mixture.subject + rest * opacity).clamped(lowerBound: .zero, upperBound: .one) * 255
                }
                let result = SIMD3(Float(pixels[4 * x]), Float(pixels[4 * x + 1]), Float(pixels[4 * x + 2]))
                let miss = result - expected
                #expect(max(abs(miss.x), abs(miss.y), abs(miss.z)) <= 1 && pixels[4 * x + 3] == 255)
            }
        }
    }
}
