import CNetworkLoops
import Testing

/// A set of kernels that this processor can run.
struct Kernels: CustomTestStringConvertible {
    let testDescription: String
    private let index: Int

    /// The table in C.
    @unsafe var functions: network_kernels {
        // `available` has only indexes for which there is a table.
        guard let table = unsafe network_available_kernels(index) else { fatalError("no kernels at \(index)") }
        return unsafe table.pointee
    }

    static let available: [Kernels] = {
        var found: [Kernels] = []
        while let table = unsafe network_available_kernels(found.count) {
            unsafe found.append(Kernels(testDescription: String(cString: table.pointee.name), index: found.count))
        }
        return found
    }()
}
