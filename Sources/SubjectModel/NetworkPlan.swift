/// The validated graph of a weight file: the operations to build, and their cost. Nothing is built yet.
struct NetworkPlan: Sendable {
    let graph: NetworkGraph
    /// Those that the output depends on, in running order.
    let operations: [NetworkOperation]
    /// Shapes by name: of the input, and of the values of all operations of the graph.
    let shapes: [String: ValueShape]
    let outputShape: ValueShape
    /// The constants in the order of their use; `index` is their position in one array of `constantCount` numbers.
    let constants: [(tensor: Safetensors.Tensor, index: Int)]
    /// The position of each constant in that array, by name.
    let indexes: [String: Int]
    let constantCount: Int
    let cost: NetworkCost

    /// - Throws: `.badWeights` and `.unsupportedNetwork`; never another error, whatever the file contains.
    init(_ source: some WeightSource) throws(SubjectModelError) {
        let file = try Safetensors(source)
        graph = try NetworkGraph(metadata: file.metadata)
        shapes = try graph.shapes(from: graph.inputShape)
        operations = graph.neededOperations
        guard let outputShape = shapes[graph.output] else {
            throw SubjectModelError(.badWeights, "no operation defines the output \(graph.output)")
        }
        guard outputShape.channels == 1, outputShape.height == graph.inputShape.height,
            outputShape.width == graph.inputShape.width
        else {
            throw SubjectModelError(
                .unsupportedNetwork, "the output is \(outputShape); expected one channel of the input's size")
        }
        self.outputShape = outputShape

        var constants: [(tensor: Safetensors.Tensor, index: Int)] = []
        var indexes: [String: Int] = [:]
        var (count, bytes) = (0, 0)
        for case .convolution(let convolution) in operations.map(\.kind) {
            var needed = [(convolution.weight, convolution.weightShape)]
            if let bias = convolution.bias { needed.append((bias, [convolution.outputChannels])) }
            for (name, shape) in needed {
                let tensor = try file.tensor(name, shape: shape)
                guard indexes.updateValue(count, forKey: name) == nil else {
                    throw SubjectModelError(.unsupportedNetwork, "the tensor \(name) is used more than once")
                }
                constants.append((tensor, count))
                count += tensor.count
                bytes += tensor.bytes.count
                // With overlapping tensors, a small file could become a large network.
                guard bytes <= source.byteCount else {
                    throw SubjectModelError(.badWeights, "the tensor \(name) overlaps another tensor")
                }
            }
        }
        self.constants = constants
        self.indexes = indexes
        constantCount = count
        cost = try NetworkCost(of: operations, shapes: shapes, weights: count)
    }
}

extension NetworkPlan {
    /// One of `constants` by its name.
    func tensor(_ name: String) throws(SubjectModelError) -> Safetensors.Tensor {
        let index = indexes[name]
        guard let constant = constants.first(where: { $0.index == index }) else {
            throw SubjectModelError(.badWeights, "the tensor \(name) is missing")
        }
        return constant.tensor
    }
}

/// The cost of running a network: upper bounds computed from its graph before anything is built.
package struct NetworkCost: Codable, Sendable, Equatable {
    /// Bytes, in floats: the weights, XNNPACK's packed copy of them, its tables of addresses, and the most values alive
    /// at once.
    package let memory: Int
    /// Those of convolutions, comparisons of poolings, and one for each value that another operation makes.
    package let multiplyAdds: Int

    /// Three times that of IS-Net at 1024 × 1024.
    package static let memoryLimit = 4 << 30
    /// Seven times IS-Net's at 1024 × 1024.
    package static let multiplyAddLimit = 1 << 40

    private static let pointerSize = 8
    /// XNNPACK packs weights for a multiple of this number of output channels, with AVX-512 its largest.
    private static let packedChannels = 16
    /// XNNPACK places values of different sizes in one arena, with gaps.
    private static let arenaSlack = 1.25
    /// Bytes for XNNPACK itself and its graph.
    private static let engine = 48.0 * 1024 * 1024
    /// Bytes per pixel of a resized plane: four addresses and two weights.
    private static let resizeTable = 40

    package init(memory: Int, multiplyAdds: Int) {
        self.memory = memory
        self.multiplyAdds = multiplyAdds
    }

    /// - Parameters:
    ///   - operations: in running order; `shapes` must have their results and inputs.
    ///   - weights: how many numbers the constants have.
    /// - Throws: `.unsupportedNetwork` if a limit is exceeded.
    init(of operations: [NetworkOperation], shapes: [String: ValueShape], weights: Int) throws(SubjectModelError) {
        var lastUse: [String: Int] = [:]
        for (index, operation) in operations.enumerated() {
            for name in operation.inputs + [operation.output] { lastUse[name] = index }
        }
        // Floating point cannot overflow here, and is precise far beyond the limits.
        var (tables, alive, peak, sum, packed) = (0.0, 0.0, 0.0, 0.0, 0.0)
        if let input = operations.first?.inputs.first { alive = Double(shapes[input]?.count ?? 0) }
        for (index, operation) in operations.enumerated() {
            guard let shape = shapes[operation.output] else { continue }
            let pixels = Double(shape.height * shape.width)
            alive += Double(shape.count)
            peak = max(peak, alive)
            switch operation.kind {
            case .convolution(let convolution):
                let taps = Double(convolution.kernel * convolution.kernel)
                let inputs = taps * Double(convolution.isDepthwise ? 1 : convolution.inputChannels)
                sum += pixels * inputs * Double(shape.channels)
                let rows = (shape.channels + Self.packedChannels - 1) / Self.packedChannels
                packed += Double(rows * Self.packedChannels) * (inputs + 1)
                if convolution.kernel > 1 || convolution.stride > 1 || convolution.isDepthwise {
                    tables += pixels * taps * Double(Self.pointerSize)
                }
            case .maxPool(let pooling):
                let taps = Double(pooling.kernel * pooling.kernel)
                sum += taps * Double(shape.count)
                tables += pixels * taps * Double(Self.pointerSize)
            case .resize, .upsample2x:
                sum += Double(shape.count)
                tables += pixels * Double(Self.resizeTable)
            // Each value is padded to the result's size: a sum so far, the next value and the new sum exist at once.
            case .concatenate:
                sum += Double(shape.count)
                peak = max(peak, alive + 2 * Double(shape.count))
            case .globalAverage: sum += Double(operation.inputs.reduce(0) { $0 + (shapes[$1]?.count ?? 0) })
            case .add, .sigmoid, .clamp: sum += Double(shape.count)
            }
            for name in Set(operation.inputs) where lastUse[name] == index {
                alive -= Double(shapes[name]?.count ?? 0)
            }
        }
        let numbers = Double(weights) + packed + peak * Self.arenaSlack
        let memory = numbers * Double(MemoryLayout<Float>.size) + tables + Self.engine
        guard memory <= Double(Self.memoryLimit) else {
            throw SubjectModelError(
                .unsupportedNetwork,
                "it needs \(Int(min(memory, 1e15)) >> 20) MiB of memory; the limit is \(Self.memoryLimit >> 20)")
        }
        guard sum <= Double(Self.multiplyAddLimit) else {
            throw SubjectModelError(
                .unsupportedNetwork,
                "it needs \(Int(min(sum, 1e15)) >> 30) Gi multiply-adds; the limit is \(Self.multiplyAddLimit >> 30)")
        }
        self.init(memory: Int(memory), multiplyAdds: Int(sum))
    }
}
