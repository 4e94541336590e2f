/// One step of the network: it reads earlier values by name and makes one new value.
struct NetworkOperation: Decodable, Sendable {
    enum Activation: String, Decodable, Sendable {
        case none, relu, relu6

        /// The range to which the operation's results are clipped.
        var range: ClosedRange<Float> {
            switch self {
            case .none: -Float.infinity...Float.infinity
            case .relu: 0...Float.infinity
            case .relu6: 0...6
            }
        }
    }

    /// A square convolution with zero padding; depthwise if each channel is convolved alone.
    struct Convolution: Sendable {
        let isDepthwise: Bool
        let weight: String
        /// Nil for a convolution without bias.
        let bias: String?
        let kernel: Int
        let stride: Int
        let padding: Int
        /// The spacing of the kernel's taps; 1 for adjacent ones.
        let dilation: Int
        let inputChannels: Int
        let outputChannels: Int
        let activation: Activation

        /// XNNPACK's orders: `[out, height, width, in]`, or `[1, height, width, channels]`.
        var weightShape: [Int] {
            isDepthwise ? [1, kernel, kernel, outputChannels] : [outputChannels, kernel, kernel, inputChannels]
        }
    }

    /// The maximum of each window. Padding never counts.
    struct Pooling: Sendable {
        let kernel: Int
        let stride: Int
        let padding: Int
        /// Whether a last window that reaches beyond the padded plane counts.
        let ceil: Bool
    }

    /// Bilinear resizing to a given size.
    struct Resize: Sendable {
        /// How pixels of the result map to the input, named as in ONNX's Resize.
        enum Alignment: String, Decodable, Sendable {
            case halfPixel, alignCorners, asymmetric
        }

        let height: Int
        let width: Int
        let alignment: Alignment
    }

    enum Kind: Sendable {
        case convolution(Convolution)
        case add(Activation)
        /// Along the channels.
        case concatenate
        case maxPool(Pooling)
        case resize(Resize)
        /// Bilinear with half-pixel centers.
        case upsample2x
        case globalAverage
        case sigmoid
        /// A separate operation; `add` and convolutions have their own activation.
        case clamp(Activation)
    }

    private enum CodingKeys: String, CodingKey {
        case op, out, weight, bias, kernel, stride, padding, dilation, channels, activation, ceil, height, width,
            alignment
        case inputs = "in"
    }

    /// How many values one operation may concatenate; U²-Net has six.
    private static let concatenated = 2...16

    let kind: Kind
    let inputs: [String]
    let output: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        output = try container.decode(String.self, forKey: .out)
        let name = try container.decode(String.self, forKey: .op)
        inputs =
            name == "add" || name == "concat"
            ? try container.decode([String].self, forKey: .inputs)
            : [try container.decode(String.self, forKey: .inputs)]
        switch name {
        case "conv": kind = .convolution(try Self.convolution(from: container, isDepthwise: false))
        case "depthwise": kind = .convolution(try Self.convolution(from: container, isDepthwise: true))
        case "add" where inputs.count == 2: kind = .add(try container.decode(Activation.self, forKey: .activation))
        case "concat" where Self.concatenated.contains(inputs.count): kind = .concatenate
        case "maxPool": kind = .maxPool(try Self.pooling(from: container))
        case "resize": kind = .resize(try Self.resize(from: container))
        case "upsample2x": kind = .upsample2x
        case "globalAverage": kind = .globalAverage
        case "sigmoid": kind = .sigmoid
        case "clamp": kind = .clamp(try container.decode(Activation.self, forKey: .activation))
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .op, in: container,
                debugDescription: "the operation \(name) with \(inputs.count) inputs is not supported")
        }
    }

    private static func pooling(from container: KeyedDecodingContainer<CodingKeys>) throws -> Pooling {
        Pooling(
            kernel: try container.decode(Int.self, forKey: .kernel),
            stride: try container.decode(Int.self, forKey: .stride),
            padding: try container.decode(Int.self, forKey: .padding),
            ceil: try container.decode(Bool.self, forKey: .ceil))
    }

    private static func resize(from container: KeyedDecodingContainer<CodingKeys>) throws -> Resize {
        Resize(
            height: try container.decode(Int.self, forKey: .height),
            width: try container.decode(Int.self, forKey: .width),
            alignment: try container.decode(Resize.Alignment.self, forKey: .alignment))
    }

    private static func convolution(
        from container: KeyedDecodingContainer<CodingKeys>, isDepthwise: Bool
    ) throws -> Convolution {
        let channels = try container.decode([Int].self, forKey: .channels)
        guard channels.count == 2, !isDepthwise || channels[0] == channels[1] else {
            throw DecodingError.dataCorruptedError(
                forKey: .channels, in: container,
                debugDescription: "channels is \(channels); expected two channel counts")
        }
        return Convolution(
            isDepthwise: isDepthwise,
            weight: try container.decode(String.self, forKey: .weight),
            bias: try container.decodeIfPresent(String.self, forKey: .bias),
            kernel: try container.decode(Int.self, forKey: .kernel),
            stride: try container.decode(Int.self, forKey: .stride),
            padding: try container.decode(Int.self, forKey: .padding),
            dilation: try container.decodeIfPresent(Int.self, forKey: .dilation) ?? 1,
            inputChannels: channels[0],
            outputChannels: channels[1],
            activation: try container.decode(Activation.self, forKey: .activation))
    }
}
