internal import CNetworkLoops

/// One call of the 8-bit engine, with the places of its inputs, constants and result. Sizes are those that the call
/// requires.
enum QuantizedStep: Sendable {
    /// The constants of a convolution: packed weights, and scales and offsets of the output channels.
    struct Constants: Sendable {
        let weights: MemoryPart
        let scales: MemoryPart
        let offsets: MemoryPart
    }

    case neighborhoods(ValueShape, outside: UInt8)
    case multiply(pixels: Int, inputs: Int, outputs: Int, Constants)
    case depthwise(ValueShape, kernel: Int, stride: Int, Constants, scratch: MemoryPart)
    /// `repeats` times the same second value, which is then a single pixel.
    case add(MemoryPart, repeats: Int, scales: (Float, Float), offset: Float)
    case double(ValueShape)
    case average(ValueShape, scale: Float, offset: Float)
    /// To floats.
    case head(ValueShape, Constants)
    /// From floats to floats.
    case probability(ValueShape)

    /// Computes `output` from `input`, both in `memory`, like all other values.
    func run(
        in memory: QuantizedMemory, with constants: QuantizedMemory, from input: MemoryPart, to output: MemoryPart
    ) {
        // Applies to all calls below: the parts lie inside the memory and have the sizes that the plan computed.
        switch self {
        case .neighborhoods(let shape, let outside):
            unsafe network_neighborhoods(memory.pointer(input), network_shape(shape), outside, memory.pointer(output))
        case .multiply(let pixels, let inputs, let outputs, let parts):
            unsafe network_multiply(
                memory.pointer(input), pixels, inputs, constants.pointer(parts.weights), outputs,
                parts.rounding(in: constants), memory.pointer(output))
        case .depthwise(let shape, let kernel, let stride, let parts, let scratch):
            unsafe network_depthwise(
                memory.pointer(input), network_shape(shape), kernel, stride, constants.pointer(parts.weights),
                parts.rounding(in: constants), memory.pointer(scratch), memory.pointer(output))
        case .add(let other, let repeats, let scales, let offset):
            let count = output.count / repeats
            let factors = [scales.0, scales.1]
            for start in stride(from: 0, to: output.count, by: count) {
                unsafe network_add(
                    memory.pointer(input) + start, memory.pointer(other), count, factors, offset,
                    memory.pointer(output) + start)
            }
        case .double(let shape):
            unsafe network_double(memory.pointer(input), network_shape(shape), memory.pointer(output))
        case .average(let shape, let scale, let offset):
            unsafe network_average(memory.pointer(input), network_shape(shape), scale, offset, memory.pointer(output))
        case .head(let shape, let parts):
            let rounding = unsafe parts.rounding(in: constants)
            unsafe network_head(
                memory.pointer(input), network_shape(shape), constants.pointer(parts.weights),
                rounding.scales.pointee, rounding.offsets.pointee, memory.pointer(output))
        case .probability(let shape):
            unsafe network_probability(memory.pointer(input), shape.width, shape.height, memory.pointer(output))
        }
    }
}

extension QuantizedStep.Constants {
    @unsafe fileprivate func rounding(in memory: QuantizedMemory) -> network_rounding {
        unsafe network_rounding(scales: memory.pointer(scales), offsets: memory.pointer(offsets))
    }
}

extension network_shape {
    fileprivate init(_ shape: ValueShape) {
        self.init(width: shape.width, height: shape.height, channels: shape.channels)
    }
}
