/// The size of one value of the network; in memory rows, then columns, then channels (NHWC with one picture).
struct ValueShape: Equatable, Sendable, CustomStringConvertible {
    /// Far above the 2.5 million of our largest value; keeps a damaged graph from using up all memory.
    private static let elementLimit = 1 << 24
    private static let sideLimit = 1 << 12

    let height: Int
    let width: Int
    let channels: Int

    var count: Int { height * width * channels }
    var dimensions: [Int] { [1, height, width, channels] }
    /// One position only, which broadcasts over a plane.
    private var isPoint: Bool { height == 1 && width == 1 }
    var description: String { "\(height)×\(width)×\(channels)" }

    /// The shape of what `operation` makes of values of the shapes `inputs`, which are as many as it names.
    static func result(of operation: NetworkOperation, on inputs: [ValueShape]) throws(SubjectModelError) -> ValueShape
    {
        let input = inputs[0]
        let shape: ValueShape
        switch operation.kind {
        case .convolution(let convolution):
            shape = try input.convolved(convolution, into: operation.output)
        case .add:
            let other = inputs[1]
            guard input.channels == other.channels, input == other || input.isPoint || other.isPoint else {
                throw SubjectModelError(.badWeights, "\(operation.output) adds \(other) to \(input)")
            }
            shape = input.isPoint ? other : input
        case .upsample2x: shape = ValueShape(height: 2 * input.height, width: 2 * input.width, channels: input.channels)
        case .globalAverage: shape = ValueShape(height: 1, width: 1, channels: input.channels)
        case .sigmoid: shape = input
        }
        guard shape.height <= sideLimit, shape.width <= sideLimit, shape.count <= elementLimit else {
            throw SubjectModelError(.unsupportedNetwork, "\(operation.output) would be \(shape)")
        }
        return shape
    }

    private func convolved(
        _ convolution: NetworkOperation.Convolution, into name: String
    ) throws(SubjectModelError) -> ValueShape {
        let sane = 1...Self.sideLimit
        guard convolution.inputChannels == channels, sane.contains(convolution.outputChannels),
            sane.contains(convolution.kernel), sane.contains(convolution.stride),
            (0..<convolution.kernel).contains(convolution.padding),
            height + 2 * convolution.padding >= convolution.kernel,
            width + 2 * convolution.padding >= convolution.kernel
        else { throw SubjectModelError(.badWeights, "\(name) is a convolution that does not fit \(self)") }
        return ValueShape(
            height: (height + 2 * convolution.padding - convolution.kernel) / convolution.stride + 1,
            width: (width + 2 * convolution.padding - convolution.kernel) / convolution.stride + 1,
            channels: convolution.outputChannels)
    }
}
