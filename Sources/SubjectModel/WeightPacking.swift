internal import CNetworkLoops

/// How the weights of a convolution become constants of the 8-bit engine, the same for every side of the input.
struct WeightPacking {
    enum Form {
        /// For `network_multiply`.
        case matrix
        /// For `network_depthwise`.
        case depthwise
        /// For `network_head`.
        case plain
    }

    let form: Form
    /// The names of tensors.
    let weight: String
    let bias: String
    let kernel: Int
    let input: Quantization
    let output: Quantization
    /// Of the size that the calls require.
    let constants: QuantizedStep.Constants

    /// Writes the constants to `memory`.
    ///
    /// - Parameter numbers: returns those of a tensor.
    fileprivate func pack(
        into memory: QuantizedMemory, _ numbers: (String) throws(SubjectModelError) -> [Float]
    ) throws(SubjectModelError) {
        let (weights, biases) = (try numbers(weight), try numbers(bias))
        let outputs = biases.count
        let count = weights.count / outputs
        var quantizations = [network_quantization](repeating: network_quantization(), count: outputs)
        // Applies to all calls below: all arrays and the parts have the sizes that the calls require.
        if form == .depthwise {
            var bytes = [Int8](repeating: 0, count: weights.count)
            unsafe network_quantize_depthwise(weights, outputs, count, &bytes, &quantizations)
            unsafe network_pack_depthwise(bytes, outputs, kernel, memory.pointer(constants.weights))
        } else {
            let row = (count + 3) / 4 * 4
            var bytes = [Int8](repeating: 0, count: outputs * row)
            unsafe network_quantize(weights, outputs, count, &bytes, &quantizations)
            if form == .matrix {
                unsafe network_pack(bytes, outputs, row, memory.pointer(constants.weights))
            } else {
                memory.write(constants.weights, as: Int8.self) { span in
                    for index in bytes.indices { span[index] = bytes[index] }
                }
            }
        }
        let rounding = try zip(quantizations, biases).map { quantization, bias throws(SubjectModelError) in
            try quantization.rounding(from: input, bias: bias, to: output, terms: count)
        }
        memory.write(constants.scales, as: Float.self) { span in
            for index in span.indices { span[index] = index < outputs ? rounding[index].scale : 0 }
        }
        memory.write(constants.offsets, as: Float.self) { span in
            for index in span.indices { span[index] = index < outputs ? rounding[index].offset : 0 }
        }
    }
}

extension QuantizedPlan {
    /// The constants of all convolutions.
    ///
    /// - Parameter source: the file that the network's plan was made from.
    func packedConstants(from source: some WeightSource) throws(SubjectModelError) -> QuantizedMemory {
        let memory = QuantizedMemory(byteCount: constantLayout.byteCount)
        for packing in packings {
            try packing.pack(into: memory) { name throws(SubjectModelError) in
                try plan.tensor(name).numbers(from: source)
            }
        }
        return memory
    }
}
