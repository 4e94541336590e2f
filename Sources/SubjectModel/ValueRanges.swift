internal import FoundationEssentials

/// The lowest and the highest number of each value of a network, which `Training/calibrate.py` measures and writes into
/// the file's metadata.
struct ValueRanges {
    private let ranges: [String: [Double]]

    /// - Parameter text: a JSON object of two numbers for each value, by name; nil if the file has none.
    /// - Throws: `.badWeights` for other text.
    init(_ text: String?) throws(SubjectModelError) {
        guard let text else {
            throw SubjectModelError(.badWeights, "the file has no ranges; run Training/calibrate.py")
        }
        do {
            ranges = try JSONDecoder().decode([String: [Double]].self, from: Data(text.utf8))
        } catch {
            throw SubjectModelError(.badWeights, "the ranges are no JSON object of lists; run Training/calibrate.py")
        }
    }

    /// How the result of `operation` is stored. Its range replaces the activation, because numbers beyond are clipped.
    ///
    /// - Throws: `.badWeights` if the range is missing or impossible for the activation.
    func quantization(of operation: NetworkOperation) throws(SubjectModelError) -> Quantization {
        let name = operation.output
        guard let range = ranges[name] else {
            throw SubjectModelError(.badWeights, "the range of \(name) is missing; run Training/calibrate.py")
        }
        let possible = operation.activation.range
        guard range.count == 2, range[0] <= 0, range[1] > 0, Float((range[1] - range[0]) / Quantization.steps).isNormal,
            Float(range[0]) >= possible.lowerBound, Float(range[1]) <= possible.upperBound
        else {
            throw SubjectModelError(
                .badWeights,
                "the range of \(name) is \(range); expected two numbers from \(possible), with 0 between them")
        }
        return Quantization(low: range[0], high: range[1])
    }
}

extension NetworkOperation {
    fileprivate var activation: Activation {
        switch kind {
        case .convolution(let convolution): convolution.activation
        case .add(let activation), .clamp(let activation): activation
        case .concatenate, .maxPool, .resize, .upsample2x, .globalAverage, .sigmoid: .none
        }
    }
}
