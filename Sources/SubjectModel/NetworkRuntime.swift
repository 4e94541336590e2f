internal import CXNNPACK

/// Owns one XNNPACK runtime with its constants and its input and output buffers. Not thread-safe.
///
/// Memory: XNNPACK packs its own copy of the weights; the widened originals are freed once it has.
// Safe: the handle is made in `init`, freed in `deinit`, and never handed out.
@safe final class NetworkRuntime {
    let inputShape: ValueShape
    let outputShape: ValueShape
    private let input: FloatBuffer
    private let output: FloatBuffer
    private let handle: xnn_runtime_t

    /// Builds the network of `plan`, made from the file `source`, which is not used afterwards.
    init(_ plan: NetworkPlan, weights source: some WeightSource) throws(SubjectModelError) {
        let constants = FloatBuffer(count: plan.constantCount)
        try constants.write { floats throws(SubjectModelError) in
            for (tensor, index) in plan.constants { try tensor.widen(from: source, into: &floats, at: index) }
        }

        try Self.prepareEngine()
        var subgraph = try Subgraph()
        try subgraph.defineInput(plan.graph.input, plan.graph.inputShape)
        try subgraph.defineOutput(plan.graph.output, plan.outputShape)
        for operation in plan.operations {
            try subgraph.define(operation, shapes: plan.shapes, constants: constants, constantIndex: plan.indexes)
        }
        // Owned from here on. It has packed the constants of all operations, which are only convolutions' weights and
        // biases, and does not read them again.
        unsafe self.handle = try unsafe subgraph.makeRuntime()
        extendLifetime(constants)
        inputShape = plan.graph.inputShape
        outputShape = plan.outputShape
        self.input = FloatBuffer(count: inputShape.count)
        self.output = FloatBuffer(count: outputShape.count)

        // The addresses are valid for the runtime's whole life, so they are set once.
        let external = unsafe [
            xnn_external_value(id: Subgraph.inputID, data: input.address()),
            xnn_external_value(id: Subgraph.outputID, data: output.address()),
        ]
        try check(unsafe xnn_setup_runtime(handle, external.count, external), "to set up the network")
    }

    deinit {
        // Made in `init`, freed once, before the buffers it points to.
        unsafe _ = xnn_delete_runtime(handle)
    }

    /// Initializes XNNPACK, which reads `/proc/cpuinfo`. Call it before confinement.
    static func prepareEngine() throws(SubjectModelError) {
        // Uses the default allocator. Safe to call repeatedly and from any thread.
        guard xnn_initialize(nil) == xnn_status_success else {
            throw SubjectModelError(
                .engineFailed, "XNNPACK cannot start; it requires /proc/cpuinfo and a processor with SSE2 or NEON")
        }
    }

    /// Runs the network once on the input that `fill` writes: normalized numbers in the order row, column, channel.
    func run(fill: (inout MutableSpan<Float>) -> Void) throws(SubjectModelError) -> [Float] {
        input.write(fill)
        // All buffers are owned by this object.
        try check(unsafe xnn_invoke_runtime(handle), "to run the network")
        return output.copy()
    }
}

/// Turns XNNPACK's status into an error; `task` completes "XNNPACK failed …".
func check(_ status: xnn_status, _ task: String) throws(SubjectModelError) {
    guard status != xnn_status_success else { return }
    throw SubjectModelError(.engineFailed, "XNNPACK failed \(task) (status \(status.rawValue))")
}

/// Owns floats at a fixed address, followed by the bytes that XNNPACK may read beyond an array's end.
// Safe: the memory lives as long as the value and is only handed out inside calls.
@safe struct FloatBuffer: ~Copyable {
    /// A cache line, so that vector loads do not cross two.
    private static let alignment = 64

    private let floats: UnsafeMutableBufferPointer<Float>

    /// All zeros.
    init(count: Int) {
        let size = count * MemoryLayout<Float>.stride + Int(XNN_EXTRA_BYTES)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: Self.alignment)
        // Zero everything, including the tail, before it is bound or read.
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        let start = unsafe memory.baseAddress?.bindMemory(to: Float.self, capacity: count)
        unsafe floats = UnsafeMutableBufferPointer(start: start, count: count)
    }

    deinit {
        // The only owner frees what `allocate` above made.
        unsafe UnsafeMutableRawBufferPointer(floats).deallocate()
    }

    func write<E: Error>(_ body: (inout MutableSpan<Float>) throws(E) -> Void) throws(E) {
        // The span ends with the call, before the buffer is freed.
        var span = unsafe floats.mutableSpan
        try body(&span)
    }

    func copy() -> [Float] {
        // The buffer is initialized to its end.
        unsafe Array(floats)
    }

    /// For C calls that keep the address: valid while the buffer lives.
    @unsafe func address(at index: Int = 0) -> UnsafeMutableRawPointer? {
        unsafe floats.baseAddress.map { unsafe UnsafeMutableRawPointer($0 + index) }
    }
}
