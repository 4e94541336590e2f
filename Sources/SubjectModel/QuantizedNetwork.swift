/// A network that computes in 8 bits. Not thread-safe.
///
/// The same bytes give the same probabilities on every processor.
final class QuantizedNetwork {
    private let memory: QuantizedMemory
    private let steps: [QuantizedPlan.Step]
    private let input: MemoryPart
    private let output: MemoryPart
    /// The byte of the photo's colors that stands for 0.
    let neutral: UInt8

    /// Builds the network of `plan`, made from the file `source`, which is not used afterwards.
    ///
    /// - Throws: as `QuantizedPlan`.
    init(_ plan: NetworkPlan, weights source: some WeightSource) throws(SubjectModelError) {
        let quantized = try QuantizedPlan(plan) { name throws(SubjectModelError) in
            try plan.tensor(name).numbers(from: source)
        }
        memory = QuantizedMemory(byteCount: quantized.layout.byteCount)
        for (part, numbers) in quantized.constants {
            switch numbers {
            case .bytes(let bytes):
                memory.write(part, as: Int8.self) { span in for index in bytes.indices { span[index] = bytes[index] } }
            case .floats(let floats):
                memory.write(part, as: Float.self) { span in for index in floats.indices { span[index] = floats[index] }
                }
            }
        }
        steps = quantized.steps
        (input, output, neutral) = (quantized.input, quantized.output, quantized.neutral)
    }

    /// Runs the network once on the photo that `fill` writes: bytes in the order row, column, channel.
    ///
    /// - Returns: probabilities, 0…1.
    func run(fill: (inout MutableSpan<UInt8>) -> Void) -> [Float] {
        memory.write(input, as: UInt8.self, fill)
        for step in steps { step.call.run(in: memory, from: step.input, to: step.output) }
        return memory.floats(output)
    }
}
