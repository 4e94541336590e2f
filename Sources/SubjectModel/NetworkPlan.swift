/// The checked graph of a weight file: the operations to build, and their cost. Nothing is built yet.
struct NetworkPlan: Sendable {
    let graph: NetworkGraph
    /// Those that the output depends on, in running order.
    let operations: [NetworkOperation]
    /// Of every value of `operations`, and of the input.
    let shapes: [String: ValueShape]
    let outputShape: ValueShape
    /// The constants in the order of their use, each from `index` on in a row of `constantCount` numbers.
    let constants: [(tensor: Safetensors.Tensor, index: Int)]
    /// Where a constant begins, by name.
    let indexes: [String: Int]
    let constantCount: Int
    let cost: NetworkCost

    /// - Throws: `.badWeights` and `.unsupportedNetwork`; never another error, whatever the file contains.
    init(_ source: some WeightSource) throws(SubjectModelError) {
        let file = try Safetensors(source)
        graph = try NetworkGraph(metadata: file.metadata)
        shapes = try graph.shapes()
        operations = graph.neededOperations
        guard let outputShape = shapes[graph.output] else {
            throw SubjectModelError(.badWeights, "nothing makes the output \(graph.output)")
        }
        guard outputShape.channels == 1, outputShape.height == graph.inputShape.height,
            outputShape.width == graph.inputShape.width
        else {
            throw SubjectModelError(
                .unsupportedNetwork, "the output is \(outputShape), not one plane of the input's size")
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
                    throw SubjectModelError(.unsupportedNetwork, "\(name) is used twice")
                }
                constants.append((tensor, count))
                count += tensor.count
                bytes += tensor.bytes.count
                // With overlapping tensors, a small file could become a large network.
                guard bytes <= source.byteCount else {
                    throw SubjectModelError(.badWeights, "\(name) shares its bytes with another tensor")
                }
            }
        }
        self.constants = constants
        self.indexes = indexes
        constantCount = count
        cost = try NetworkCost(of: operations, shapes: shapes, weights: count)
    }
}
