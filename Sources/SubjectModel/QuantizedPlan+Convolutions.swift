internal import CNetworkLoops

extension QuantizedPlan {
    /// The bytes of 3 × 3 pixels of 3 channels, and one more so that the count is a multiple of 4.
    private static let neighborhood = 28
    private static let headChannels = 16

    mutating func append(
        _ convolution: NetworkOperation.Convolution, of operation: NetworkOperation, reading input: Value
    ) throws(SubjectModelError) {
        guard convolution.dilation == 1 else { throw Self.unsuitable(operation) }
        let kernel = convolution.kernel
        if convolution.isDepthwise {
            guard kernel == 3 || kernel == 5, convolution.padding == kernel / 2, input.quantization.zero == 0,
                input.shape.channels.isMultiple(of: Self.lanes)
            else { throw Self.unsuitable(operation) }
            try appendDepthwise(convolution, of: operation, reading: input)
        } else if kernel == 1, convolution.stride == 1, convolution.padding == 0,
            convolution.inputChannels.isMultiple(of: 4)
        {
            try appendProduct(
                convolution, of: operation, reading: input, input.part, pixels: input.shape.width * input.shape.height,
                inputs: convolution.inputChannels)
        } else if kernel == 3, convolution.stride == 2, convolution.padding == 1, convolution.inputChannels == 3,
            input.part.offset == self.input.offset, let shape = shapes[operation.output],
            input.shape.width == 2 * shape.width, input.shape.height == 2 * shape.height
        {
            let pixels = shape.width * shape.height
            let part = layout.take(pixels * Self.neighborhood)
            steps.append(Step(call: .neighborhoods(input.shape, outside: neutral), input: input.part, output: part))
            try appendProduct(
                convolution, of: operation, reading: input, part, pixels: pixels, inputs: Self.neighborhood)
            layout.giveBack(part)
        } else {
            throw Self.unsuitable(operation)
        }
    }

    private mutating func appendProduct(
        _ convolution: NetworkOperation.Convolution, of operation: NetworkOperation, reading input: Value,
        _ part: MemoryPart, pixels: Int, inputs: Int
    ) throws(SubjectModelError) {
        let outputs = convolution.outputChannels
        let output = try ranges.quantization(of: operation)
        let constants = try pack(
            convolution, of: operation, as: .matrix, byteCount: network_padded(outputs) * inputs,
            from: input.quantization, to: output)
        try append(
            .multiply(pixels: pixels, inputs: inputs, outputs: outputs, constants), operation, reading: part, as: output
        )
    }

    private mutating func appendDepthwise(
        _ convolution: NetworkOperation.Convolution, of operation: NetworkOperation, reading input: Value
    ) throws(SubjectModelError) {
        let kernel = convolution.kernel
        let output = try ranges.quantization(of: operation)
        let constants = try pack(
            convolution, of: operation, as: .depthwise,
            byteCount: network_depthwise_size(convolution.outputChannels, kernel), from: input.quantization, to: output)
        let scratch = layout.take(network_depthwise_scratch(input.shape.width))
        try append(
            .depthwise(input.shape, kernel: kernel, stride: convolution.stride, constants, scratch: scratch), operation,
            reading: input.part, as: output)
        layout.giveBack(scratch)
    }

    /// Plans the constants of a convolution, whose packed weights take `byteCount` bytes.
    private mutating func pack(
        _ convolution: NetworkOperation.Convolution, of operation: NetworkOperation, as form: WeightPacking.Form,
        byteCount: Int, from input: Quantization, to output: Quantization
    ) throws(SubjectModelError) -> QuantizedStep.Constants {
        guard let bias = convolution.bias else { throw Self.unsuitable(operation) }
        let floats = network_padded(convolution.outputChannels) * MemoryLayout<Float>.stride
        let constants = QuantizedStep.Constants(
            weights: constantLayout.keep(byteCount), scales: constantLayout.keep(floats),
            offsets: constantLayout.keep(floats))
        packings.append(
            WeightPacking(
                form: form, weight: convolution.weight, bias: bias, kernel: convolution.kernel, input: input,
                output: output, constants: constants))
        return constants
    }

    /// The last convolution, and the probabilities at twice its size.
    mutating func appendEnd(_ operations: [NetworkOperation], reading input: Value) throws(SubjectModelError) {
        let shape = input.shape
        guard operations.count == 3, case .convolution(let head) = operations[0].kind, !head.isDepthwise,
            head.kernel == 3, head.stride == 1, head.padding == 1, head.dilation == 1,
            head.inputChannels == Self.headChannels, head.outputChannels == 1, head.activation == .none,
            case .upsample2x = operations[1].kind, case .sigmoid = operations[2].kind,
            (2 * shape.width).isMultiple(of: Self.lanes), input.quantization.zero == 0
        else {
            throw SubjectModelError(
                .unsupportedNetwork, "the network does not end like those that can be computed in 8 bits")
        }
        let constants = try pack(
            head, of: operations[0], as: .plain, byteCount: head.weightShape.reduce(1, *), from: input.quantization,
            to: .identity)
        let part = layout.take(shape.width * shape.height * MemoryLayout<Float>.stride)
        steps.append(Step(call: .head(shape, constants), input: input.part, output: part))
        steps.append(Step(call: .probability(shape), input: part, output: output))
    }
}
