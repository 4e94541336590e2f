internal import FoundationEssentials

/// What a weight file says about its network: the operations in running order, and how a photo becomes its input.
struct NetworkGraph: Sendable {
    private static let format = "subject-1"
    /// Ours has 98.
    private static let operationLimit = 4096

    let input: String
    let output: String
    /// `x = (rgb / 255 - mean) / std`, the same for all three channels.
    let mean: Float
    let std: Float
    let operations: [NetworkOperation]

    init(metadata: [String: String]) throws(SubjectModelError) {
        let format = try Self.text("format", in: metadata)
        guard format == Self.format else {
            throw SubjectModelError(.unsupportedNetwork, "the format is \(format), not \(Self.format)")
        }
        input = try Self.text("input", in: metadata)
        output = try Self.text("output", in: metadata)
        mean = try Self.number("mean", in: metadata)
        std = try Self.number("std", in: metadata)
        guard std > 0 else { throw SubjectModelError(.badWeights, "std is \(std)") }
        let graph = try Self.text("graph", in: metadata)
        do {
            operations = try JSONDecoder().decode([NetworkOperation].self, from: Data(graph.utf8))
        } catch {
            throw SubjectModelError(.unsupportedNetwork, "the graph cannot be followed: \(error)")
        }
        guard operations.count <= Self.operationLimit else {
            throw SubjectModelError(.unsupportedNetwork, "the graph has \(operations.count) operations")
        }
    }

    /// The operations the output depends on, in running order. Debian's XNNPACK aborts on a value that nothing reads.
    var neededOperations: [NetworkOperation] {
        var needed: Set = [output]
        var operations: [NetworkOperation] = []
        for operation in self.operations.reversed() where needed.contains(operation.output) {
            needed.formUnion(operation.inputs)
            operations.append(operation)
        }
        return operations.reversed()
    }

    /// The shape of every value by name, for an input of that shape. Throws where an operation reads what no earlier
    /// one made, makes what is already there, or does not fit its input.
    func shapes(input shape: ValueShape) throws(SubjectModelError) -> [String: ValueShape] {
        var shapes = [input: shape]
        for operation in operations {
            var inputs: [ValueShape] = []
            for name in operation.inputs {
                guard let input = shapes[name] else {
                    throw SubjectModelError(.badWeights, "\(operation.output) reads \(name), which nothing made before")
                }
                inputs.append(input)
            }
            guard shapes[operation.output] == nil else {
                throw SubjectModelError(.badWeights, "\(operation.output) is made twice")
            }
            shapes[operation.output] = try ValueShape.result(of: operation, on: inputs)
        }
        guard output != input, shapes[output] != nil else {
            throw SubjectModelError(.badWeights, "nothing makes the output \(output)")
        }
        return shapes
    }

    private static func text(_ key: String, in metadata: [String: String]) throws(SubjectModelError) -> String {
        guard let text = metadata[key] else { throw SubjectModelError(.badWeights, "the metadata has no \(key)") }
        return text
    }

    private static func number(_ key: String, in metadata: [String: String]) throws(SubjectModelError) -> Float {
        let text = try text(key, in: metadata)
        guard let number = Float(text), number.isFinite else {
            throw SubjectModelError(.badWeights, "\(key) is \(text), not a number")
        }
        return number
    }
}
