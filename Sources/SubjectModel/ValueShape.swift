/// The size of one value of the network, stored as rows, columns, channels (NHWC with N = 1).
struct ValueShape: Equatable, Sendable, CustomStringConvertible {
    /// Twice as many as IS-Net's largest value at 1024 × 1024. `NetworkCost` bounds their sum.
    private static let elementLimit = 1 << 26
    static let sideLimit = 1 << 12

    let height: Int
    let width: Int
    let channels: Int

    var count: Int { height * width * channels }
    var dimensions: [Int] { [1, height, width, channels] }
    /// Whether this is a single position, which broadcasts over a plane.
    private var isPoint: Bool { height == 1 && width == 1 }
    var description: String { "\(height)×\(width)×\(channels)" }

    /// The shape of `operation`'s result; `inputs` are the shapes of its inputs, in order.
    static func result(of operation: NetworkOperation, on inputs: [ValueShape]) throws(SubjectModelError) -> ValueShape
    {
        let input = inputs[0]
        let name = operation.output
        let shape: ValueShape
        switch operation.kind {
        case .convolution(let convolution): shape = try input.convolved(convolution, into: name)
        case .maxPool(let pooling): shape = try input.pooled(pooling, into: name)
        case .add:
            let other = inputs[1]
            guard input.channels == other.channels, input == other || input.isPoint || other.isPoint else {
                throw SubjectModelError(.badWeights, "\(name) adds values of different shapes, \(input) and \(other)")
            }
            shape = input.isPoint ? other : input
        case .concatenate:
            for other in inputs where other.height != input.height || other.width != input.width {
                throw SubjectModelError(
                    .badWeights, "\(name) concatenates values of different sizes, \(input) and \(other)")
            }
            shape = ValueShape(
                height: input.height, width: input.width, channels: inputs.reduce(0) { $0 + $1.channels })
        case .resize(let size):
            let sides = 1...sideLimit
            guard sides.contains(size.height), sides.contains(size.width) else {
                throw SubjectModelError(
                    .unsupportedNetwork,
                    "\(name) has the size \(size.height)×\(size.width); sides must be from 1 to \(sideLimit)")
            }
            shape = ValueShape(height: size.height, width: size.width, channels: input.channels)
        case .upsample2x: shape = ValueShape(height: 2 * input.height, width: 2 * input.width, channels: input.channels)
        case .globalAverage: shape = ValueShape(height: 1, width: 1, channels: input.channels)
        case .sigmoid, .clamp: shape = input
        }
        guard shape.height <= sideLimit, shape.width <= sideLimit, shape.count <= elementLimit else {
            throw SubjectModelError(.unsupportedNetwork, "\(name) has the shape \(shape), which exceeds the limits")
        }
        return shape
    }

    private func convolved(
        _ convolution: NetworkOperation.Convolution, into name: String
    ) throws(SubjectModelError) -> ValueShape {
        let sane = 1...Self.sideLimit
        guard convolution.inputChannels == channels, sane.contains(convolution.outputChannels),
            sane.contains(convolution.kernel), sane.contains(convolution.stride), sane.contains(convolution.dilation),
            (0...Self.sideLimit).contains(convolution.padding), convolution.padding < convolution.extent,
            height + 2 * convolution.padding >= convolution.extent,
            width + 2 * convolution.padding >= convolution.extent
        else { throw SubjectModelError(.badWeights, "the convolution \(name) does not fit its input \(self)") }
        return ValueShape(
            height: (height + 2 * convolution.padding - convolution.extent) / convolution.stride + 1,
            width: (width + 2 * convolution.padding - convolution.extent) / convolution.stride + 1,
            channels: convolution.outputChannels)
    }

    /// XNNPACK pools neither single pixels nor windows with gaps.
    private func pooled(
        _ pooling: NetworkOperation.Pooling, into name: String
    ) throws(SubjectModelError) -> ValueShape {
        guard (2...Self.sideLimit).contains(pooling.kernel), (1...pooling.kernel).contains(pooling.stride),
            (0...pooling.kernel / 2).contains(pooling.padding),
            height + 2 * pooling.padding >= pooling.kernel || pooling.ceil,
            width + 2 * pooling.padding >= pooling.kernel || pooling.ceil
        else { throw SubjectModelError(.badWeights, "the pooling \(name) does not fit its input \(self)") }
        return ValueShape(height: pooling.length(height), width: pooling.length(width), channels: channels)
    }
}

extension NetworkOperation.Convolution {
    /// The kernel's extent, in pixels.
    var extent: Int { (kernel - 1) * dilation + 1 }
}

extension NetworkOperation.Pooling {
    /// The number of windows along a side of `length` pixels.
    func length(_ length: Int) -> Int {
        let rest = length + 2 * padding - kernel
        let floored = rest < 0 ? 0 : rest / stride + 1
        // As in ONNX and PyTorch: a window that begins in the padding behind the plane does not count.
        guard ceil, rest < 0 || rest % stride != 0, floored * stride < length + padding else { return max(floored, 1) }
        return floored + 1
    }

    /// The padding behind a side of `length` pixels. XNNPACK rounds the count down, so this padding completes the last
    /// window.
    func paddingBehind(_ length: Int) -> Int {
        max((self.length(length) - 1) * stride + kernel - length - padding, padding)
    }
}
