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
    let neutral: UInt8

    /// - Parameters:
    ///   - constants: what `packedConstants` of this plan, or of one for another input, returned.
    ///   - memory: for values, of at least the bytes of `layout`. They are needed during a run only.
    init(_ plan: QuantizedPlan, constants: QuantizedMemory, memory: QuantizedMemory) {
        (self.constants, self.memory, steps) = (constants, memory, plan.steps)
        (input, output, neutral) = (plan.input, plan.output, plan.neutral)
    }

    /// Runs the network once on the photo that `fill` writes: bytes in the order row, column, channel.
    ///
    /// - Returns: probabilities, 0…1.
    func run(fill: (inout MutableSpan<UInt8>) -> Void) -> [Float] {
        memory.write(input, as: UInt8.self, fill)
        for step in steps { step.call.run(in: memory, with: constants, from: step.input, to: step.output) }
        return memory.floats(output)
    }
}
