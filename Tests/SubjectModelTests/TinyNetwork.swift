import Foundation
import SubjectModel

/// A safetensors file written by the test: a 1×1 convolution that copies red, and whatever the test adds.
struct TinyNetwork {
    var format = "subject-1"
    var mean = "0.5"
    var std = "0.25"
    var output = "copy"
    var operations = [
        """
        {"op":"conv","in":"input","out":"copy","weight":"w","bias":"b","kernel":1,"stride":1,"padding":0,\
        "channels":[3,1],"activation":"none"}
        """
    ]
    /// Name, kind, shape, numbers; written one after the other.
    var tensors: [(name: String, dtype: String, shape: [Int], values: [Float16])] = [
        ("w", "F16", [1, 1, 1, 3], [1, 0, 0]), ("b", "F16", [1], [0]),
    ]
    /// Added to every tensor's end in the header.
    var excess = 0

    var bytes: [UInt8] {
        get throws {
            var header: [String: Any] = [
                "__metadata__": [
                    "format": format, "input": "input", "output": output, "mean": mean, "std": std,
                    "graph": "[" + operations.joined(separator: ",") + "]",
                ]
            ]
            var body: [UInt8] = []
            for tensor in tensors {
                let start = body.count
                for value in tensor.values {
                    body += [UInt8(truncatingIfNeeded: value.bitPattern), UInt8(value.bitPattern >> 8)]
                }
                header[tensor.name] = [
                    "dtype": tensor.dtype, "shape": tensor.shape, "data_offsets": [start, body.count + excess],
                ]
            }
            return Self.file(header: [UInt8](try JSONSerialization.data(withJSONObject: header)), body: body)
        }
    }

    static func file(header: [UInt8], body: [UInt8] = []) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) } + header + body
    }

    /// The same network with one more operation after the convolution, whose result is the output.
    func followed(by operation: String, makes name: String) -> TinyNetwork {
        var network = self
        network.operations.append(operation)
        network.output = name
        return network
    }
}
