import Foundation

/// A safetensors file made by the test: a 1×1 convolution that copies red, and the test's additions.
package struct TinyNetwork {
    package var format = "subject-1"
    package var mean = "0.5"
    package var std = "0.25"
    package var output = "copy"
    package var operations = [layer("conv", "input", to: "copy", weight: "w", bias: "b", channels: "3,1")]
    /// Name, type, shape and values, written in this order.
    package var tensors: [(name: String, dtype: String, shape: [Int], values: [Float])] = [
        ("w", "F16", [1, 1, 1, 3], [1, 0, 0]), ("b", "F16", [1], [0]),
    ]
    /// Added to every tensor's end in the header.
    package var excess = 0
    /// Additional metadata, such as `width`.
    package var metadata: [String: String] = [:]

    package init() {}

    /// A convolution.
    package static func layer(
        _ operation: String, _ input: String, to output: String, weight: String, bias: String? = nil, kernel: Int = 1,
        stride: Int = 1, padding: Int = 0, channels: String = "1,1", _ activation: String = "none"
    ) -> String {
        let bias = bias.map { #""bias":"\#($0)","# } ?? ""
        return #"{"op":"\#(operation)","in":"\#(input)","out":"\#(output)","weight":"\#(weight)",\#(bias)"#
            + #""kernel":\#(kernel),"stride":\#(stride),"padding":\#(padding),"channels":[\#(channels)],"#
            + #""activation":"\#(activation)"}"#
    }

    package var bytes: [UInt8] {
        get throws {
            var header: [String: Any] = [
                "__metadata__": [
                    "format": format, "input": "input", "output": output, "mean": mean, "std": std,
                    "graph": "[" + operations.joined(separator: ",") + "]",
                ].merging(metadata) { $1 }
            ]
            var body: [UInt8] = []
            for tensor in tensors {
                let start = body.count
                for value in tensor.values {
                    let half = Float16(value).bitPattern
                    body += tensor.dtype == "F32" ? littleEndian(Int(value.bitPattern)) : littleEndian(Int(half), 2)
                }
                header[tensor.name] = [
                    "dtype": tensor.dtype, "shape": tensor.shape, "data_offsets": [start, body.count + excess],
                ]
            }
            return Self.file(header: [UInt8](try JSONSerialization.data(withJSONObject: header)), body: body)
        }
    }

    package static func file(header: [UInt8], body: [UInt8] = []) -> [UInt8] {
        littleEndian(header.count, 8) + header + body
    }

    /// The same network with one more operation, whose result, `x`, is the output.
    package func followed(by operation: String) -> TinyNetwork {
        var network = self
        network.operations.append(operation)
        network.output = "x"
        return network
    }

    /// A network with an input of 64 × 48 pixels that finds what is red.
    ///
    /// - Parameter strength: the sharpness of the masks; each value gives a different network.
    package static func findingRed(strength: Float = 24) -> TinyNetwork {
        var network = TinyNetwork().followed(by: #"{"op":"sigmoid","in":"copy","out":"x"}"#)
        network.metadata = ["width": "64", "height": "48", "stretch": "minmax"]
        (network.mean, network.std) = ("0.5", "1")
        network.tensors[0].values = [strength, -strength, 0]
        network.tensors[1].values = [-strength / 4]
        return network
    }
}
