internal import CXNNPACK

/// Owns an XNNPACK subgraph while it is being defined. A runtime made from it needs neither it nor the constants.
// Safe: the handle is made in `init`, freed in `deinit`, and only lent inside calls.
@safe struct Subgraph: ~Copyable {
    /// XNNPACK's identifiers of the network's input and output.
    static let inputID: UInt32 = 0
    static let outputID: UInt32 = 1

    private let handle: xnn_subgraph_t
    private var ids: [String: UInt32]

    init() throws(SubjectModelError) {
        var handle: xnn_subgraph_t?
        // Two external values; the handle is only read after success.
        try check(unsafe xnn_create_subgraph(2, 0, &handle), "to create a subgraph")
        guard let handle = unsafe handle else { throw SubjectModelError(.engineFailed, "XNNPACK returned no subgraph") }
        unsafe self.handle = handle
        // Not before the last throw: Swift 6.2's compiler would crash.
        ids = [:]
    }

    deinit {
        // Made in `init`, freed once.
        unsafe _ = xnn_delete_subgraph(handle)
    }

    mutating func defineInput(_ name: String, _ shape: ValueShape) throws(SubjectModelError) {
        // Without data, no memory has to outlive the call.
        ids[name] = try unsafe value(shape.dimensions, id: Self.inputID, flags: UInt32(XNN_VALUE_FLAG_EXTERNAL_INPUT))
    }

    mutating func defineOutput(_ name: String, _ shape: ValueShape) throws(SubjectModelError) {
        // Without data, no memory has to outlive the call.
        ids[name] = try unsafe value(shape.dimensions, id: Self.outputID, flags: UInt32(XNN_VALUE_FLAG_EXTERNAL_OUTPUT))
    }

    /// Defines the value that `operation` makes, unless it is the output, and the node that makes it.
    ///
    /// - Parameters:
    ///   - shapes: of all values, by name.
    ///   - constants: at the positions in `constantIndex`.
    mutating func define(
        _ operation: NetworkOperation, shapes: [String: ValueShape], constants: borrowing FloatBuffer,
        constantIndex: [String: Int]
    ) throws(SubjectModelError) {
        guard let shape = shapes[operation.output], let inputShape = shapes[operation.inputs[0]] else {
            throw SubjectModelError(.badWeights, "the shape of \(operation.output) is unknown")
        }
        let input = try id(operation.inputs[0])
        let output: UInt32
        if let defined = ids[operation.output] {
            output = defined
        } else {
            // Without data, no memory has to outlive the call.
            output = try unsafe value(shape.dimensions)
            ids[operation.output] = output
        }
        // Applies to all calls below: every ID comes from this subgraph, and XNNPACK's status reports any other error.
        let status: xnn_status
        switch operation.kind {
        case .convolution(let convolution):
            let bias = try constant(convolution.bias, [convolution.outputChannels], constants, constantIndex)
            let weight = try constant(convolution.weight, convolution.weightShape, constants, constantIndex)
            status = define(convolution, from: input, weight: weight, bias: bias, to: output)
        case .add(let activation):
            let range = activation.range
            let other = try id(operation.inputs[1])
            status = unsafe network_define_add(handle, range.lowerBound, range.upperBound, input, other, output)
        case .concatenate:
            var inputs: [(id: UInt32, shape: ValueShape)] = []
            for name in operation.inputs {
                guard let shape = shapes[name] else {
                    throw SubjectModelError(.badWeights, "the shape of \(name) is unknown")
                }
                inputs.append((try id(name), shape))
            }
            return try define(concatenation: inputs, as: shape, to: output)
        case .maxPool(let pooling):
            let size = UInt32(pooling.kernel)
            let (step, before) = (UInt32(pooling.stride), UInt32(pooling.padding))
            status = unsafe xnn_define_max_pooling_2d(
                handle, before, UInt32(pooling.paddingBehind(inputShape.width)),
                UInt32(pooling.paddingBehind(inputShape.height)), before, size, size, step, step, 1, 1, -.infinity,
                .infinity, input, output, 0)
        case .resize(let resize):
            status = unsafe xnn_define_static_resize_bilinear_2d(
                handle, shape.height, shape.width, input, output, resize.alignment.flags)
        case .clamp(let activation):
            let range = activation.range
            status = unsafe network_define_clamp(handle, range.lowerBound, range.upperBound, input, output)
        case .upsample2x:
            status = unsafe xnn_define_static_resize_bilinear_2d(handle, shape.height, shape.width, input, output, 0)
        case .globalAverage:
            status = unsafe network_define_global_average(handle, input, output)
        case .sigmoid:
            status = unsafe network_define_sigmoid(handle, input, output)
        }
        try check(status, "to define \(operation.output)")
    }

    /// A runtime without a thread pool: one photo, one core. The caller owns it.
    @unsafe func makeRuntime() throws(SubjectModelError) -> xnn_runtime_t {
        var runtime: xnn_runtime_t?
        // The handle is only read after success.
        try check(unsafe xnn_create_runtime_v2(handle, nil, 0, &runtime), "to create a runtime")
        guard let runtime = unsafe runtime else {
            throw SubjectModelError(.engineFailed, "XNNPACK returned no runtime")
        }
        return unsafe runtime
    }

    private func define(
        _ convolution: NetworkOperation.Convolution, from input: UInt32, weight: UInt32, bias: UInt32, to output: UInt32
    ) -> xnn_status {
        let padding = UInt32(convolution.padding)
        let kernel = UInt32(convolution.kernel)
        let stride = UInt32(convolution.stride)
        let dilation = UInt32(convolution.dilation)
        let range = convolution.activation.range
        if convolution.isDepthwise {
            // See above: ids of this subgraph, checked by XNNPACK.
            return unsafe xnn_define_depthwise_convolution_2d(
                handle, padding, padding, padding, padding, kernel, kernel, stride, stride,
                dilation, dilation, 1,
                convolution.inputChannels, range.lowerBound, range.upperBound, input, weight, bias, output, 0)
        }
        // See above.
        return unsafe xnn_define_convolution_2d(
            handle, padding, padding, padding, padding, kernel, kernel, stride, stride, dilation, dilation,
            1,
            convolution.inputChannels, convolution.outputChannels, range.lowerBound, range.upperBound, input, weight,
            bias, output, 0)
    }

    /// Debian's XNNPACK cannot concatenate: pad each value with zeros in place of the others, and add them.
    private mutating func define(
        concatenation inputs: [(id: UInt32, shape: ValueShape)], as shape: ValueShape, to output: UInt32
    ) throws(SubjectModelError) {
        var (before, sum) = (0, UInt32.max)
        for (index, input) in inputs.enumerated() {
            // Without data, no memory has to outlive the call.
            let padded = try unsafe value(shape.dimensions)
            let channels = input.shape.channels
            // See above: ids of this subgraph. The paddings are copied by the call.
            try check(
                unsafe xnn_define_static_constant_pad(
                    handle, [0, 0, 0, before], [0, 0, 0, shape.channels - before - channels], 0, input.id, padded, 0),
                "to define a padding")
            before += channels
            guard index > 0 else {
                sum = padded
                continue
            }
            // See above.
            let next = index == inputs.count - 1 ? output : try unsafe value(shape.dimensions)
            // See above.
            try check(
                unsafe network_define_add(handle, -.infinity, .infinity, sum, padded, next), "to define a concatenation"
            )
            sum = next
        }
    }

    /// The value of a constant; XNNPACK's identifier for no value if `name` is nil.
    private func constant(
        _ name: String?, _ shape: [Int], _ constants: borrowing FloatBuffer, _ indexes: [String: Int]
    ) throws(SubjectModelError) -> UInt32 {
        guard let name else { return UInt32.max }
        guard let index = indexes[name] else { throw SubjectModelError(.badWeights, "the tensor \(name) is missing") }
        // The constants outlive the subgraph: the caller owns them until the runtime is made.
        return try unsafe value(shape, data: constants.address(at: index))
    }

    /// `data`, if given, must hold the value's floats until the last runtime is made.
    @unsafe private func value(
        _ dimensions: [Int], data: UnsafeRawPointer? = nil, id: UInt32 = UInt32.max, flags: UInt32 = 0
    ) throws(SubjectModelError) -> UInt32 {
        var defined = UInt32.max
        // `dimensions` is copied by the call.
        try check(
            unsafe xnn_define_tensor_value(
                handle, xnn_datatype_fp32, dimensions.count, dimensions, data, id, flags, &defined),
            "to define a value")
        return defined
    }

    private func id(_ name: String) throws(SubjectModelError) -> UInt32 {
        guard let id = ids[name] else { throw SubjectModelError(.badWeights, "\(name) is read before it is defined") }
        return id
    }
}

extension NetworkOperation.Resize.Alignment {
    fileprivate var flags: UInt32 {
        switch self {
        case .halfPixel: 0
        case .alignCorners: UInt32(XNN_FLAG_ALIGN_CORNERS)
        case .asymmetric: UInt32(XNN_FLAG_TENSORFLOW_LEGACY_MODE)
        }
    }
}
