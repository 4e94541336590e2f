import CNetworkLoops
import Testing

/// A set of kernels that this processor can run.
struct Kernels: CustomTestStringConvertible {
    let testDescription: String
    /// Nil for the functions without a table.
    private let index: Int?

    /// The table in C.
    @unsafe var functions: network_kernels {
        guard let index else {
            return unsafe network_kernels(
                name: nil, multiply: network_multiply, depthwise: network_depthwise, colors: network_colors,
                add: network_add, double_sides: network_double, average: network_average, head: network_head,
                probability: network_probability)
        }
        // `available` has only indexes for which there is a table.
        guard let table = unsafe network_available_kernels(index) else { fatalError("no kernels at \(index)") }
        return unsafe table.pointee
    }

    /// Those of each table, and the functions without one, which use the first of them.
    static let available: [Kernels] = {
        var found: [Kernels] = []
        while let table = unsafe network_available_kernels(found.count) {
            unsafe found.append(Kernels(testDescription: String(cString: table.pointee.name), index: found.count))
        }
        return found + [Kernels(testDescription: "dispatched", index: nil)]
    }()
}
