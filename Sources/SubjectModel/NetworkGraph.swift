internal import FoundationEssentials

/// The network described by a weight file: its operations in running order, and how a photo becomes its input.
struct NetworkGraph: Sendable {
    private static let format = "subject-1"
    /// The embedded network has 98.
    private static let operationLimit = 4096
    /// Each side of the input that a file does not state.
    static let usualSide = 320

    let input: String
    let output: String
    /// `x = (rgb / 255 - mean) / std`, for red, green and blue.
    let mean: [Float]
    let std: [Float]
    let inputShape: ValueShape
    /// Whether masks are scaled so that their minimum is 0 and their maximum 1.
    let stretches: Bool
    /// The ranges of its values, as the file has them; nil if it has none. Only networks in 8 bits need them.
    let ranges: String?
    let operations: [NetworkOperation]

    init(metadata: [String: String]) throws(SubjectModelError) {
        let format = try Self.text("format", in: metadata)
        guard format == Self.format else {
            throw SubjectModelError(.unsupportedNetwork, "the format is \(format); expected \(Self.format)")
        }
        input = try Self.text("input", in: metadata)
        output = try Self.text("output", in: metadata)
        mean = try Self.numbers("mean", in: metadata)
        std = try Self.numbers("std", in: metadata)
        guard std.allSatisfy({ $0 > 0 }) else {
            throw SubjectModelError(.badWeights, "std is \(std); each value must be greater than 0")
        }
        guard zip(mean, std).allSatisfy({ (($0 / $1).magnitude + 1 / $1).isFinite }) else {
            throw SubjectModelError(.badWeights, "mean \(mean) and std \(std) make the input infinite")
        }
        inputShape = ValueShape(
            height: try Self.side("height", in: metadata), width: try Self.side("width", in: metadata), channels: 3)
        let stretch = metadata["stretch"] ?? "none"
        guard stretch == "none" || stretch == "minmax" else {
            throw SubjectModelError(.unsupportedNetwork, "stretch is \(stretch); expected none or minmax")
        }
        stretches = stretch == "minmax"
        ranges = metadata["ranges"]
        let graph = try Self.text("graph", in: metadata)
        do {
            operations = try JSONDecoder().decode([NetworkOperation].self, from: Data(graph.utf8))
        } catch {
            throw SubjectModelError(.unsupportedNetwork, "the graph is invalid: \(Self.reason(error))")
        }
        guard operations.count <= Self.operationLimit else {
            throw SubjectModelError(
                .unsupportedNetwork, "the graph has \(operations.count) operations; the limit is \(Self.operationLimit)"
            )
        }
    }

    /// The operations that the output depends on, in running order. Debian's XNNPACK aborts on an unused value.
    var neededOperations: [NetworkOperation] {
        var needed: Set = [output]
        var operations: [NetworkOperation] = []
        for operation in self.operations.reversed() where needed.contains(operation.output) {
            needed.formUnion(operation.inputs)
            operations.append(operation)
        }
        return operations.reversed()
    }

    /// The shape of every value by name, for an input of shape `inputShape`.
    ///
    /// - Throws: if an operation reads a value that no earlier one made, redefines a value, or does not fit its inputs.
    func shapes(from inputShape: ValueShape) throws(SubjectModelError) -> [String: ValueShape] {
        var shapes = [input: inputShape]
        for operation in operations {
            var inputs: [ValueShape] = []
            for name in operation.inputs {
                guard let input = shapes[name] else {
                    throw SubjectModelError(.badWeights, "\(operation.output) reads \(name) before it is defined")
                }
                inputs.append(input)
            }
            guard shapes[operation.output] == nil else {
                throw SubjectModelError(.badWeights, "two operations define \(operation.output)")
            }
            shapes[operation.output] = try ValueShape.result(of: operation, on: inputs)
        }
        guard output != input, shapes[output] != nil else {
            throw SubjectModelError(.badWeights, "no operation defines the output \(output)")
        }
        return shapes
    }

    /// The part of a decoding error that names the operation.
    private static func reason(_ error: any Error) -> String {
        if case .dataCorrupted(let context) = error as? DecodingError { return context.debugDescription }
        return "\(error)"
    }

    private static func text(_ key: String, in metadata: [String: String]) throws(SubjectModelError) -> String {
        guard let text = metadata[key] else { throw SubjectModelError(.badWeights, "the metadata lacks \(key)") }
        return text
    }

    /// One number for all three channels, or three separated by commas.
    private static func numbers(_ key: String, in metadata: [String: String]) throws(SubjectModelError) -> [Float] {
        let text = try text(key, in: metadata)
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Float($0) ?? .nan }
        guard numbers.count == 1 || numbers.count == 3, numbers.allSatisfy(\.isFinite) else {
            throw SubjectModelError(.badWeights, "\(key) is \(text); expected one number or three")
        }
        return numbers.count == 1 ? Array(repeating: numbers[0], count: 3) : numbers
    }

    /// A side of the input; `usualSide` if the file has none.
    private static func side(_ key: String, in metadata: [String: String]) throws(SubjectModelError) -> Int {
        guard let text = metadata[key] else { return usualSide }
        guard let side = Int(text), (1...ValueShape.sideLimit).contains(side) else {
            throw SubjectModelError(
                .badWeights, "\(key) is \(text); expected a whole number from 1 to \(ValueShape.sideLimit)")
        }
        return side
    }
}
