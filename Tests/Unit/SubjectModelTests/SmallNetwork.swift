import TestSupport

/// A network of 32 × 32 pixels with every operation that can be computed in 8 bits, and random weights.
struct SmallNetwork {
    var tiny = TinyNetwork()
    static let side = 32
    /// The operations by the names of their results.
    var operations: [(name: String, json: String)] = []
    /// Those that are not the usual ones, by operation.
    var ranges: [String: String] = [:]

    init() {
        tiny.metadata = ["width": "\(Self.side)", "height": "\(Self.side)"]
        tiny.output = "x"
        tiny.tensors = []
        var random = TestRandom(state: 0x9e37_79b9_7f4a_7c15)
        func numbers(_ count: Int, _ largest: Float) -> [Float] {
            (0..<count).map { _ in (Float(random.next() >> 40) / Float(1 << 23) - 1) * largest }
        }
        func convolve(
            _ from: String, _ to: String, _ inputs: Int, _ outputs: Int, kernel: Int = 1, stride: Int = 1,
            depthwise: Bool = false, _ activation: String
        ) {
            let shape = depthwise ? [1, kernel, kernel, outputs] : [outputs, kernel, kernel, inputs]
            let taps = kernel * kernel * (depthwise ? 1 : inputs)
            tiny.tensors.append(("\(to).w", "F32", shape, numbers(shape.reduce(1, *), (3 / Float(taps)).squareRoot())))
            tiny.tensors.append(("\(to).b", "F32", [outputs], numbers(outputs, 0.5)))
            operations.append(
                (
                    to,
                    """
                    {"op":"\(depthwise ? "depthwise" : "conv")","in":"\(from)","out":"\(to)","weight":"\(to).w",\
                    "bias":"\(to).b","kernel":\(kernel),"stride":\(stride),"padding":\(kernel / 2),\
                    "channels":[\(inputs),\(outputs)],"activation":"\(activation)"}
                    """
                ))
        }
        func append(_ operation: String, _ from: String, _ to: String) {
            operations.append((to, #"{"op":"\#(operation)","in":"\#(from)","out":"\#(to)"}"#))
        }
        func add(_ first: String, _ second: String, _ to: String, _ activation: String) {
            operations.append(
                (to, #"{"op":"add","in":["\#(first)","\#(second)"],"out":"\#(to)","activation":"\#(activation)"}"#))
        }
        convolve("input", "a", 3, 16, kernel: 3, stride: 2, "relu6")
        convolve("a", "b", 16, 16, kernel: 3, depthwise: true, "relu6")
        convolve("b", "c", 16, 16, "none")
        add("a", "c", "d", "relu")
        convolve("d", "e", 16, 32, "relu")
        convolve("e", "f", 32, 32, kernel: 5, stride: 2, depthwise: true, "relu6")
        convolve("f", "g", 32, 16, "none")
        append("globalAverage", "g", "m")
        convolve("m", "n", 16, 16, "none")
        add("g", "n", "h", "none")
        append("upsample2x", "h", "i")
        add("i", "d", "j", "relu")
        convolve("j", "k", 16, 1, kernel: 3, "none")
        append("upsample2x", "k", "l")
        append("sigmoid", "l", "x")
    }

    /// Replaces text in the operation that makes `name`.
    mutating func change(_ name: String, _ text: String, to other: String) {
        for index in operations.indices where operations[index].name == name {
            operations[index].json = operations[index].json.replacing(text, with: other)
        }
    }

    /// The file. Values with an activation have ranges that begin at 0.
    var bytes: [UInt8] {
        get throws {
            var file = tiny
            file.operations = operations.map(\.json)
            if file.metadata["ranges"] == nil {
                let ranges = operations.map { name, json in
                    let usual = json.contains("relu6") ? "[0,6]" : json.contains("relu") ? "[0,7]" : "[-6,6]"
                    return "\"\(name)\":\(self.ranges[name] ?? usual)"
                }
                file.metadata["ranges"] = "{\(ranges.joined(separator: ","))}"
            }
            return try file.bytes
        }
    }
}
