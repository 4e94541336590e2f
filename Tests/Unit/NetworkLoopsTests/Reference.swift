/// The definitions of the operations, one number at a time.
enum Reference {
    /// A fixed sequence: a linear congruential generator (Knuth's MMIX).
    static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    static func weights(_ count: Int, seed: UInt64) -> [Int8] {
        bytes(count, seed: seed).map { max(Int8(bitPattern: $0), -127) }
    }

    /// Scales and offsets for sums of `terms` products, most of which become bytes other than 0 and 255.
    static func rounding(_ channels: Int, terms: Int, seed: UInt64) -> Rounding {
        let bytes = bytes(2 * channels, seed: seed)
        let typical = 100 / (128 * 64 * Float(terms).squareRoot())
        return Rounding(
            scales: bytes.prefix(channels).map { (Float($0) + 1) / 256 * typical },
            offsets: bytes.suffix(channels).map { Float($0) * 0.75 + 0.123 })
    }

    static func byte(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), 255).rounded(.toNearestOrEven)) }

    static func multiply(_ input: [UInt8], _ weights: [Int8], inputs: Int, outputs: Int, _ rounding: Rounding)
        -> [UInt8]
    {
        var result: [UInt8] = []
        for pixel in stride(from: 0, to: input.count, by: inputs) {
            for output in 0..<outputs {
                var sum: Int32 = 0
                for k in 0..<inputs { sum += Int32(input[pixel + k]) * Int32(weights[output * inputs + k]) }
                result.append(rounding.byte(sum, output))
            }
        }
        return result
    }

    /// The sums of one channel's square kernel, at every `stride`th row and column.
    static func sums(
        _ input: Picture, channel: Int, kernel: Int, stride step: Int, weights: (Int, Int) -> Int8
    ) -> [Int32] {
        var result: [Int32] = []
        for y in stride(from: 0, to: input.height, by: step) {
            for x in stride(from: 0, to: input.width, by: step) {
                var sum: Int32 = 0
                for row in 0..<kernel {
                    for column in 0..<kernel {
                        let pixel = input.byte(x + column - kernel / 2, y + row - kernel / 2, channel) ?? 0
                        sum += Int32(pixel) * Int32(weights(row, column))
                    }
                }
                result.append(sum)
            }
        }
        return result
    }

    /// Both coordinates that an output of a doubled side of `count` is mixed from: 3/4 of the first, 1/4 of the second.
    static func doubled(_ place: Int, _ count: Int) -> (Int, Int) {
        (place / 2, min(max(place % 2 == 0 ? place / 2 - 1 : place / 2 + 1, 0), count - 1))
    }
}
