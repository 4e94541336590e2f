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

extension network_quantization {
    /// The factor and the summand that turn the sum of a convolution's products of bytes into the byte of its result.
    func rounding(from input: Quantization, bias: Float, to output: Quantization) -> (scale: Float, offset: Float) {
        let factor = input.scale * scale / output.scale
        return (Float(factor), Float(Double(bias) / output.scale + output.zero - input.zero * Double(sum) * factor))
    }
}
