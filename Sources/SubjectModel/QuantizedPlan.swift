/// A network's operations as steps of the 8-bit engine, with the memory for everything. Nothing is computed yet.
///
/// Only for networks like the embedded one: a first convolution with stride 2, then pointwise and depthwise ones, and
/// at the end one to a single channel, whose result is doubled before its logistic function.
struct QuantizedPlan {
    struct Step {
        let call: QuantizedStep
        let input: MemoryPart
        let output: MemoryPart
    }

    struct Value {
        let part: MemoryPart
        let quantization: Quantization
        let shape: ValueShape
    }

    /// How many channels the engine's vectors have.
    static let lanes = 16
    /// The last convolution, its doubling and the logistic function compute in floats.
    private static let floatOperations = 3

    /// The photo's bytes, in the order row, column, channel.
    let input: MemoryPart
    /// The probabilities, as floats.
    let output: MemoryPart
    /// In running order.
    var steps: [Step] = []
    /// Of the input and the other values.
    var layout = MemoryLayoutPlan()
    /// The convolutions' constants, which are the same for every side of the input.
    var packings: [WeightPacking] = []
    /// Of these constants.
    var constantLayout = MemoryLayoutPlan()
    let plan: NetworkPlan
    /// Of all values, by name.
    let shapes: [String: ValueShape]
    let ranges: ValueRanges
    /// The byte of the photo's colors that is closest to 0.
    let neutral: UInt8
    /// Those that a later operation reads.
    private var values: [String: Value] = [:]

    /// - Parameters:
    ///   - plan: of the network.
    ///   - side: of a square input other than the file's.
    /// - Throws: `.unsupportedNetwork` if an operation or a shape does not suit the engine, and `.badWeights` if a
    ///   range is missing or invalid.
    init(_ plan: NetworkPlan, side: Int? = nil) throws(SubjectModelError) {
        self.plan = plan
        ranges = try ValueRanges(plan.graph.ranges)
        let colors = Quantization(mean: plan.graph.mean[0], std: plan.graph.std[0])
        guard Set(plan.graph.mean).count == 1, Set(plan.graph.std).count == 1,
            let neutral = UInt8(exactly: colors.zero.rounded())
        else {
            throw SubjectModelError(.unsupportedNetwork, "in 8 bits, mean and std must be one number, mean from 0 to 1")
        }
        self.neutral = neutral
        let shape = side.map { ValueShape(height: $0, width: $0, channels: 3) } ?? plan.graph.inputShape
        shapes = try plan.graph.shapes(from: shape)
        guard let result = shapes[plan.graph.output] else {
            throw SubjectModelError(.badWeights, "no operation defines the output \(plan.graph.output)")
        }
        input = layout.keep(shape.count)
        output = layout.keep(result.count * MemoryLayout<Float>.stride)
        values[plan.graph.input] = Value(part: input, quantization: colors, shape: shape)
        var lastUse: [String: Int] = [:]
        for (index, operation) in plan.operations.enumerated() {
            for name in operation.inputs { lastUse[name] = index }
        }
        for (index, operation) in plan.operations.dropLast(Self.floatOperations).enumerated() {
            try append(operation)
            for name in Set(operation.inputs) where lastUse[name] == index && name != plan.graph.input {
                if let value = values.removeValue(forKey: name) { layout.giveBack(value.part) }
            }
        }
        let end = Array(plan.operations.suffix(Self.floatOperations))
        guard let head = end.first else {
            throw SubjectModelError(.unsupportedNetwork, "the network has too few operations")
        }
        try appendEnd(end, reading: try value(head.inputs[0]))
    }

    static func unsuitable(_ operation: NetworkOperation) -> SubjectModelError {
        SubjectModelError(.unsupportedNetwork, "\(operation.output) cannot be computed in 8 bits")
    }

    private func value(_ name: String) throws(SubjectModelError) -> Value {
        guard let value = values[name] else {
            throw SubjectModelError(.badWeights, "\(name) is read before it is defined")
        }
        return value
    }

    /// Appends the step that makes the result of `operation`.
    mutating func append(
        _ step: QuantizedStep, _ operation: NetworkOperation, reading input: MemoryPart, as quantization: Quantization
    ) throws(SubjectModelError) {
        guard let shape = shapes[operation.output] else { throw Self.unsuitable(operation) }
        let value = Value(part: layout.take(shape.count), quantization: quantization, shape: shape)
        values[operation.output] = value
        steps.append(Step(call: step, input: input, output: value.part))
    }

    private mutating func append(_ operation: NetworkOperation) throws(SubjectModelError) {
        let input = try value(operation.inputs[0])
        if case .convolution(let convolution) = operation.kind {
            return try append(convolution, of: operation, reading: input)
        }
        let (shape, from) = (input.shape, input.quantization)
        switch operation.kind {
        case .add:
            let other = try value(operation.inputs[1])
            guard shape.count.isMultiple(of: other.shape.count), other.shape.count.isMultiple(of: Self.lanes)
            else { throw Self.unsuitable(operation) }
            let output = try ranges.quantization(of: operation)
            let scales = (try from.factor(to: output), try other.quantization.factor(to: output))
            let offset = output.zero - from.zero * scales.0 - other.quantization.zero * scales.1
            try append(
                .add(
                    other.part, repeats: shape.count / other.shape.count, scales: (Float(scales.0), Float(scales.1)),
                    offset: Float(offset)), operation, reading: input.part, as: output)
        case .upsample2x where shape.channels.isMultiple(of: Self.lanes):
            try append(.double(shape), operation, reading: input.part, as: from)
        case .globalAverage where shape.channels.isMultiple(of: Self.lanes):
            let output = try ranges.quantization(of: operation)
            let scale = try from.factor(to: output)
            try append(
                .average(
                    shape, scale: Float(scale / Double(shape.width * shape.height)),
                    offset: Float(output.zero - from.zero * scale)), operation, reading: input.part, as: output)
        case .convolution, .upsample2x, .globalAverage, .concatenate, .maxPool, .resize, .sigmoid, .clamp:
            throw Self.unsuitable(operation)
        }
    }
}
