internal import CXNNPACK

/// Owns one XNNPACK runtime with its constants and its input and output buffers; one caller at a time.
///
/// Memory: XNNPACK packs its own copy of the weights and wants the widened originals kept beside it.
// Safe: the handle is made in `init`, freed in `deinit`, and never handed out.
@safe final class NetworkRuntime {
    let graph: NetworkGraph
    let inputShape: ValueShape
    let outputShape: ValueShape
    private let constants: FloatBuffer
    private let input: FloatBuffer
    private let output: FloatBuffer
    private let handle: xnn_runtime_t

    /// Follows the graph in the header of `weights`, a safetensors file, for a picture of `side` × `side`.
    init(weights: RawSpan, side: Int) throws(SubjectModelError) {
        let file = try Safetensors(weights)
        let graph = try NetworkGraph(metadata: file.metadata)
        let inputShape = ValueShape(height: side, width: side, channels: 3)
        let operations = graph.neededOperations
        let shapes = try graph.shapes(input: inputShape)
        guard let outputShape = shapes[graph.output] else {
            throw SubjectModelError(.badWeights, "nothing makes the output \(graph.output)")
        }

        var tensors: [(tensor: Safetensors.Tensor, index: Int)] = []
        var indexes: [String: Int] = [:]
        var count = 0
        for case .convolution(let convolution) in operations.map(\.kind) {
            for (name, shape) in [
                (convolution.weight, convolution.weightShape), (convolution.bias, [convolution.outputChannels]),
            ] {
                let tensor = try file.tensor(name, shape: shape)
                guard indexes.updateValue(count, forKey: name) == nil else {
                    throw SubjectModelError(.unsupportedNetwork, "\(name) is used twice")
                }
                tensors.append((tensor, count))
                count += tensor.count
            }
        }
        let constants = FloatBuffer(count: count)
        constants.write { floats in
            for (tensor, index) in tensors { weights.widen(tensor, into: &floats, at: index) }
        }

        // No allocator of our own; may be called any number of times, from any thread.
        guard xnn_initialize(nil) == xnn_status_success else {
            throw SubjectModelError(
                .engineFailed, "XNNPACK cannot start: it needs /proc/cpuinfo and a processor with SSE2 or NEON")
        }
        var subgraph = try Subgraph()
        try subgraph.defineInput(graph.input, inputShape)
        try subgraph.defineOutput(graph.output, outputShape)
        for operation in operations {
            guard let shape = shapes[operation.output] else { continue }
            try subgraph.define(operation, shape: shape, constants: constants, constantIndex: indexes)
        }
        // Owned from here on; the constants it reads are owned beside it.
        unsafe self.handle = try unsafe subgraph.makeRuntime()
        self.graph = graph
        self.inputShape = inputShape
        self.outputShape = outputShape
        self.constants = constants
        self.input = FloatBuffer(count: inputShape.count)
        self.output = FloatBuffer(count: outputShape.count)

        // The addresses hold for the runtime's whole life, so this is said once.
        let external = unsafe [
            xnn_external_value(id: Subgraph.inputID, data: input.address()),
            xnn_external_value(id: Subgraph.outputID, data: output.address()),
        ]
        try check(unsafe xnn_setup_runtime(handle, external.count, external), "to set the network up")
    }

    deinit {
        // Made in `init`, freed once, before the buffers it points to.
        unsafe _ = xnn_delete_runtime(handle)
    }

    /// Runs the network once on what `fill` writes: rows, columns, channels, already normalized.
    func run(fill: (inout MutableSpan<Float>) -> Void) throws(SubjectModelError) -> [Float] {
        input.write(fill)
        // All buffers are owned by this object.
        try check(unsafe xnn_invoke_runtime(handle), "to run the network")
        return output.copy()
    }
}

/// Turns XNNPACK's status into an error; `task` completes "XNNPACK refused …".
func check(_ status: xnn_status, _ task: String) throws(SubjectModelError) {
    guard status != xnn_status_success else { return }
    throw SubjectModelError(.engineFailed, "XNNPACK refused \(task) (status \(status.rawValue))")
}
