internal import CNetworkLoops

/// A network that computes in 8 bits. Only one of those that have the same memory may run at a time.
///
/// The same bytes give the same probabilities on every processor.
struct QuantizedNetwork {
    private let constants: QuantizedMemory
    private let memory: QuantizedMemory
    private let steps: [QuantizedPlan.Step]
    private let input: MemoryPart
    private let output: MemoryPart
    /// The byte of the photo's colors that stands for 0.
    private let neutral: UInt8

    /// - Parameters:
    ///   - constants: what `packedConstants` of this plan, or of one for another input, returned.
    ///   - memory: for values, of at least the bytes of `layout`. They are needed during a run only.
    init(_ plan: QuantizedPlan, constants: QuantizedMemory, memory: QuantizedMemory) {
        (self.constants, self.memory, steps) = (constants, memory, plan.steps)
        (input, output, neutral) = (plan.input, plan.output, plan.neutral)
    }

    /// Runs the network once on a photo of the size of its input. Transparent pixels are mixed with the gray of
    /// `neutral`.
    ///
    /// - Parameter pixels: as in `Raster`.
    /// - Returns: probabilities, 0…1.
    func run(on pixels: [UInt8]) -> [Float] {
        precondition(pixels.count == input.count / 3 * 4)
        // The sizes were checked.
        unsafe network_colors(pixels, pixels.count / 4, neutral, memory.pointer(input))
        for step in steps { step.call.run(in: memory, with: constants, from: step.input, to: step.output) }
        return memory.floats(output)
    }
}
