internal import CNetworkLoops

extension QuantizedPlan {
    /// A neighborhood of 3 × 3 pixels of 3 channels, and a byte so that the count is a multiple of 4.
    private static let neighborhood = (weights: 27, bytes: 28)
    private static let headChannels = 16

    mutating func append(
        _ convolution: NetworkOperation.Convolution, of operation: NetworkOperation, reading input: Value,
        _ weights: (String) throws(SubjectModelError) -> [Float]
    ) throws(SubjectModelError) {
        guard let bias = convolution.bias, convolution.dilation == 1 else { throw Self.unsuitable(operation) }
        let (numbers, biases) = (try weights(convolution.weight), try weights(bias))
        let kernel = convolution.kernel
        if convolution.isDepthwise {
            guard kernel == 3 || kernel == 5, convolution.padding == kernel / 2, input.quantization.zero == 0,
                input.shape.channels.isMultiple(of: Self.lanes)
            else { throw Self.unsuitable(operation) }
            try appendDepthwise(convolution, of: operation, reading: input, numbers, biases)
        } else if kernel == 1, convolution.stride == 1, convolution.padding == 0,
            convolution.inputChannels.isMultiple(of: 4)
        {
            try appendProduct(
                of: operation, reading: input, input.part, pixels: input.shape.width * input.shape.height,
                count: convolution.inputChannels, numbers, biases)
        } else if kernel == 3, convolution.stride == 2, convolution.padding == 1, convolution.inputChannels == 3,
            input.part.offset == self.input.offset, let shape = plan.shapes[operation.output],
            input.shape.width == 2 * shape.width, input.shape.height == 2 * shape.height
        {
            let pixels = shape.width * shape.height
            let part = layout.take(pixels * Self.neighborhood.bytes)
            steps.append(Step(call: .neighborhoods(input.shape, outside: neutral), input: input.part, output: part))
            try appendProduct(
                of: operation, reading: input, part, pixels: pixels, count: Self.neighborhood.weights, numbers, biases)
            layout.giveBack(part)
        } else {
            throw Self.unsuitable(operation)
        }
    }

    /// A matrix product. Rows of weights are filled up to a multiple of four bytes.
    private mutating func appendProduct(
        of operation: NetworkOperation, reading input: Value, _ part: MemoryPart, pixels: Int, count: Int,
        _ weights: [Float], _ biases: [Float]
    ) throws(SubjectModelError) {
        let outputs = biases.count
        let rows = (0..<outputs).map { QuantizedWeights(weights[$0 * count..<($0 + 1) * count]) }
        let inputs = (count + 3) / 4 * 4
        let matrix = rows.flatMap { $0.bytes + Array(repeating: 0, count: inputs - count) }
        var packed = [Int8](repeating: 0, count: network_padded(outputs) * inputs)
        // Both arrays have the sizes that the call requires.
        unsafe network_pack(matrix, outputs, inputs, &packed)
        let output = try ranges.quantization(of: operation)
        try append(
            .multiply(
                pixels: pixels, inputs: inputs, outputs: outputs, weights: constant(.bytes(packed)),
                rounding(rows, biases, from: input.quantization, to: output)), operation, reading: part, as: output)
    }

    private mutating func appendDepthwise(
        _ convolution: NetworkOperation.Convolution, of operation: NetworkOperation, reading input: Value,
        _ weights: [Float], _ biases: [Float]
    ) throws(SubjectModelError) {
        let (channels, kernel) = (biases.count, convolution.kernel)
        let columns = (0..<channels).map { channel in
            QuantizedWeights(stride(from: channel, to: weights.count, by: channels).map { weights[$0] })
        }
        let taps = (0..<kernel * kernel).flatMap { tap in columns.map { $0.bytes[tap] } }
        var packed = [Int8](repeating: 0, count: network_depthwise_size(channels, kernel))
        // Both arrays have the sizes that the call requires.
        unsafe network_pack_depthwise(taps, channels, kernel, &packed)
        let output = try ranges.quantization(of: operation)
        let scratch = layout.take(network_depthwise_scratch(input.shape.width))
        try append(
            .depthwise(
                input.shape, kernel: kernel, stride: convolution.stride, weights: constant(.bytes(packed)),
                rounding(columns, biases, from: input.quantization, to: output), scratch: scratch), operation,
            reading: input.part, as: output)
        layout.giveBack(scratch)
    }

    private mutating func rounding(
        _ weights: [QuantizedWeights], _ biases: [Float], from input: Quantization, to output: Quantization
    ) -> QuantizedStep.Rounding {
        let pairs = zip(weights, biases).map { $0.rounding(from: input, bias: $1, to: output) }
        let rest = [Float](repeating: 0, count: network_padded(biases.count) - biases.count)
        return QuantizedStep.Rounding(
            scales: constant(.floats(pairs.map(\.scale) + rest)), offsets: constant(.floats(pairs.map(\.offset) + rest))
        )
    }

    /// The last convolution, and the probabilities at twice its size.
    mutating func appendEnd(
        _ operations: [NetworkOperation], reading input: Value,
        _ weights: (String) throws(SubjectModelError) -> [Float]
    ) throws(SubjectModelError) {
        let shape = input.shape
        guard operations.count == 3, case .convolution(let head) = operations[0].kind, !head.isDepthwise,
            let bias = head.bias, head.kernel == 3, head.stride == 1, head.padding == 1, head.dilation == 1,
            head.inputChannels == Self.headChannels, head.outputChannels == 1, head.activation == .none,
            case .upsample2x = operations[1].kind, case .sigmoid = operations[2].kind,
            (2 * shape.width).isMultiple(of: Self.lanes), input.quantization.zero == 0
        else {
            throw SubjectModelError(
                .unsupportedNetwork, "the network does not end like those that can be computed in 8 bits")
        }
        let quantized = QuantizedWeights(try weights(head.weight))
        let part = layout.take(shape.width * shape.height * MemoryLayout<Float>.stride)
        let scale = Float(input.quantization.scale * quantized.scale)
        steps.append(
            Step(
                call: .head(
                    shape, weights: constant(.bytes(quantized.bytes)), scale: scale, offset: try weights(bias)[0]),
                input: input.part, output: part))
        steps.append(Step(call: .probability(shape), input: part, output: output))
    }
}
