internal import CNetworkLoops

/// How the bytes of a value stand for numbers: number = scale · (byte − zero), as in Jacob et al. 2018, "Quantization
/// and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference", section 2.1.
struct Quantization: Equatable, Sendable {
    static let steps = 255.0

    /// Bytes that stand for themselves.
    static let identity = Quantization(low: 0, high: steps)

    let scale: Double
    let zero: Double

    /// For numbers from `low` to `high`, and 0, which is exactly one byte.
    init(low: Double, high: Double) {
        scale = (max(high, 0) - min(low, 0)) / Self.steps
        zero = (-min(low, 0) / scale).rounded(.toNearestOrEven)
    }

    /// For a photo's bytes, which a network normalizes to (byte / 255 − mean) / std. `zero` is no whole number.
    init(mean: Float, std: Float) {
        scale = 1 / (Self.steps * Double(std))
        zero = Self.steps * Double(mean)
    }
}

extension Quantization {
    /// The factor that turns differences of bytes into those of `output`.
    ///
    /// - Throws: `.badWeights` if a result could exceed the 32 bits in which it is rounded, before it is clipped.
    func factor(to output: Quantization) throws(SubjectModelError) -> Double {
        let factor = scale / output.scale
        guard factor <= 0x1p20 else {
            throw SubjectModelError(.badWeights, "a range is a million times smaller than that of its input")
        }
        return factor
    }
}

extension network_quantization {
    /// The factor and the summand that turn the sum of a convolution's products of bytes into the byte of its result.
    ///
    /// - Parameter terms: how many products there are.
    /// - Throws: as `factor`.
    func rounding(
        from input: Quantization, bias: Float, to output: Quantization, terms: Int
    ) throws(SubjectModelError) -> (scale: Float, offset: Float) {
        let factor = input.scale * scale / output.scale
        let offset = Double(bias) / output.scale + output.zero - input.zero * Double(sum) * factor
        let largest = Quantization.steps * Double(Int8.max) * Double(terms) * factor + offset.magnitude
        guard largest < Double(Int32.max) else {
            throw SubjectModelError(.badWeights, "a range is too small for the weights of its convolution")
        }
        return (Float(factor), Float(offset))
    }
}
