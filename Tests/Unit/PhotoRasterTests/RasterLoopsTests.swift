import CRasterLoops
import Testing

/// Rows of every length up to a few vectors, compared with the definition of each loop, one pixel at a time.
@Suite("Loops over the pixels of a row")
struct RasterLoopsTests {
    private static let lengths = Array(1...40) + [63, 64, 65, 127, 128, 129, 200]

    /// The same numbers on each run: a linear congruential generator (Knuth's MMIX).
    private static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// Pixels of which the first `opaque` are opaque.
    private static func pixels(_ count: Int, opaque: Int) -> [UInt8] {
        var pixels = bytes(count * 4, seed: UInt64(count))
        for index in 0..<min(opaque, count) { pixels[index * 4 + 3] = 255 }
        return pixels
    }

    /// 0…1, with runs of 0 and of 1.
    private static func values(_ count: Int) -> [Float] {
        bytes(count, seed: 3).enumerated().map { index, byte in
            switch index / 20 % 3 {
            case 0: 0
            case 1: 1
            default: Float(byte) / 255
            }
        }
    }

    @Test("Comparing sets one bit per value and clears those beyond the row", arguments: lengths)
    func compare(length: Int) {
        let values = Self.values(length)
        var words = [UInt64](repeating: .max, count: (length + 63) / 64)
        unsafe raster_compare_row(values, length, 0.5, &words)
        for index in 0..<words.count * 64 {
            let isSet = words[index / 64] >> UInt64(index % 64) & 1 == 1
            #expect(isSet == (index < length && values[index] >= 0.5))
        }
    }

    @Test("Rounding changes nearly decided values and flags their blocks", arguments: lengths)
    func round(length: Int) {
        let block = 3
        let before = Self.values(length)
        var after = before
        var flags = [UInt8](repeating: 0, count: (length - 1) / block + 1)
        unsafe raster_round_row(&after, length, 0.1, block, &flags)
        var expected = [UInt8](repeating: 0, count: flags.count)
        for (index, value) in before.enumerated() {
            let rounded: Float = value <= 0.1 ? 0 : value >= 1 - 0.1 ? 1 : value
            #expect(after[index] == rounded)
            expected[index / block] |= rounded == 0 ? 1 : rounded == 1 ? 2 : 3
        }
        #expect(flags == expected)
    }

    @Test("Samples are premultiplied, and storing them gives back opaque pixels", arguments: lengths)
    func samples(length: Int) {
        let pixels = Self.pixels(length, opaque: length / 2)
        var samples = [Float](repeating: -1, count: length * 4)
        unsafe raster_load_row(pixels, length, &samples)
        for index in 0..<length {
            let alpha = Float(pixels[index * 4 + 3]) / 255
            for channel in 0..<3 { #expect(samples[index * 4 + channel] == Float(pixels[index * 4 + channel]) * alpha) }
            #expect(samples[index * 4 + 3] == 255 * alpha)
        }
        var stored = [UInt8](repeating: 0, count: length * 4)
        unsafe raster_store_row(samples, length, &stored)
        #expect(stored.prefix(length / 2 * 4) == pixels.prefix(length / 2 * 4))
    }

    @Test("Rows of a ring are combined by their weights", arguments: lengths)
    func mixRows(length: Int) {
        let ring = Self.values(length * 3)
        let weights: [Float] = [0.25, 0, 0.75]
        var result = [Float](repeating: -1, count: length)
        unsafe raster_mix_rows(ring, length, 3, 5, weights, 3, 0, length, &result)
        // Rows 5, 6 and 7 of a ring of 3 are in places 2, 0 and 1.
        for index in 0..<length {
            #expect(result[index] == ring[2 * length + index] * 0.25 + ring[length + index] * 0.75)
        }
    }

    @Test("Luminance counts transparent pixels as white", arguments: lengths, [false, true])
    func luminance(length: Int, isOpaque: Bool) {
        let pixels = Self.pixels(length, opaque: isOpaque ? length : length / 2)
        var sums = [UInt32](repeating: 7, count: length)
        unsafe raster_add_luminance(pixels, length, 64, &sums)
        for index in 0..<length {
            let pixel = pixels[index * 4..<index * 4 + 4].map { UInt32($0) }
            let luminance = 77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]
            #expect(sums[index] == 7 + (luminance * pixel[3] + 65_280 * (255 - pixel[3])) / 255 * 64)
        }
    }

    @Test("Blocks get the mean color of their pixels, the last one of fewer", arguments: lengths, [1, 3, 5])
    func blocks(length: Int, block: Int) {
        let pixels = Self.pixels(length, opaque: length)
        var means = [SIMD4<Float>](repeating: .zero, count: (length - 1) / block + 1)
        unsafe raster_add_block_means(pixels, length, block, 2, &means)
        for (index, mean) in means.enumerated() {
            let columns = index * block..<min((index + 1) * block, length)
            for channel in 0..<3 {
                let sum = columns.reduce(0) { $0 + Int(pixels[$1 * 4 + channel]) }
                #expect(mean[channel] == Float(sum) * (1 / Float(columns.count * 2 * 255)))
            }
        }
    }

    @Test("Cutting keeps the color of visible pixels only", arguments: lengths)
    func cut(length: Int) {
        let pixels = Self.pixels(length, opaque: 0)
        let opacities = Self.values(length)
        var result = [UInt8](repeating: 9, count: length * 4)
        unsafe raster_cut_row(pixels, opacities, length, &result)
        for (index, opacity) in opacities.enumerated() {
            let color = Array(pixels[index * 4..<index * 4 + 3]) + [UInt8(255 * opacity + 0.5)]
            #expect(Array(result[index * 4..<index * 4 + 4]) == (opacity > 0 ? color : [0, 0, 0, 0]))
        }
    }

    @Test("Mounting draws soft pixels on the color, and its cover becomes the alpha", arguments: lengths)
    func mount(length: Int) {
        let pixels = Self.pixels(length, opaque: length / 3)
        let cover = Self.values(length)
        var result = pixels
        unsafe raster_mount_row(&result, cover, length, 10, 20, 250)
        for index in 0..<length {
            let opacity = Float(pixels[index * 4 + 3]) / 255
            let colors = zip(pixels[index * 4..<index * 4 + 3], [10, 20, 250] as [Float]).map { color, sheet in
                UInt8(Float(color) * opacity + sheet * (1 - opacity) + 0.5)
            }
            let expected = cover[index] > 0 ? colors + [UInt8(cover[index] * 255 + 0.5)] : [0, 0, 0, 0]
            #expect(Array(result[index * 4..<index * 4 + 4]) == expected)
        }
    }

    @Test("A blur is the mean over a window, with zeros beyond the plane", arguments: lengths, [0, 1, 4, 300])
    func blur(length: Int, radius: Int) {
        func means(_ values: [Float]) -> [Float] {
            values.indices.map { place in
                (place - radius...place + radius).reduce(0) { $0 + (values.indices.contains($1) ? values[$1] : 0) }
                    / Float(2 * radius + 1)
            }
        }
        let values = Self.values(length)
        let expected = means(values)
        func isRight(_ result: [Float]) -> Bool { zip(result, expected).allSatisfy { abs($0 - $1) < 1e-5 } }
        // Five rows: four at once, and the rest.
        var rows = [Float](repeating: 9, count: 5 * length)
        unsafe raster_blur_rows((0..<5).flatMap { _ in values }, length, 5, radius, &rows)
        #expect((0..<5).allSatisfy { isRight(Array(rows[$0 * length..<($0 + 1) * length])) })
        // The same values downwards, in two columns.
        var sums = [Float](repeating: 9, count: 2)
        var columns = [Float](repeating: 9, count: 2 * length)
        unsafe raster_blur_columns(values.flatMap { [$0, $0] }, 2, length, radius, &sums, &columns)
        #expect(isRight((0..<length).map { columns[2 * $0] }) && isRight((0..<length).map { columns[2 * $0 + 1] }))
    }

    @Test("Shading draws soft pixels over black, and leaves opaque ones", arguments: lengths)
    func shade(length: Int) {
        let pixels = Self.pixels(length, opaque: length / 3)
        let shade = Self.values(length)
        var result = pixels
        unsafe raster_shade_row(&result, shade, length, 0.5)
        for index in 0..<length {
            let cover = Float(pixels[index * 4 + 3]) / 255
            let alpha = cover + shade[index] * 0.5 * (1 - cover)
            let own = Array(pixels[index * 4..<index * 4 + 4])
            let expected =
                alpha > 0 && cover < 1
                ? own.prefix(3).map { UInt8(Float($0) * (cover / alpha) + 0.5) } + [UInt8(alpha * 255 + 0.5)] : own
            #expect(Array(result[index * 4..<index * 4 + 4]) == expected)
        }
    }
}
