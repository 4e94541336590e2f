package import PhotoRaster

/// Finds the subject of a photo: owns the network, built once, and runs it on one core, one photo after another.
///
/// The same photo gives the same numbers on the same kind of processor; XNNPACK chooses its arithmetic by processor,
/// so another one may differ in the last bits.
package actor SubjectNetwork {
    /// The network sees every photo as a square of this many pixels, aspect ratio not kept.
    package static let side = 320

    private let runtime: NetworkRuntime

    /// Builds the network from the weights in the binary. Takes some milliseconds; reads `/proc/cpuinfo`.
    package init() throws(SubjectModelError) {
        runtime = try EmbeddedWeights.read(Self.makeRuntime)
    }

    /// Builds the network from the bytes of a safetensors file, which are not needed afterwards. Any network of
    /// known operations that makes one plane of `side` × `side` out of three will do.
    package init(weights: [UInt8]) throws(SubjectModelError) {
        // Bytes have no padding that could be read uninitialized.
        runtime = try Self.makeRuntime(unsafe weights.span.bytes)
    }

    /// How likely each pixel belongs to the subject, 0…1, for the photo stretched to `side` × `side`.
    ///
    /// A transparent pixel counts as the network's mean color, a mid-grey.
    package func probability(of photo: Raster) throws(SubjectModelError) -> Plane {
        let square = photo.resampled(width: Self.side, height: Self.side, kernel: .area)
        let scale = 1 / (255 * runtime.graph.std)
        let offset = runtime.graph.mean / runtime.graph.std
        let output = try runtime.run { input in
            for pixel in 0..<Self.side * Self.side {
                let source = pixel * Raster.channels
                let alpha = Float(square.pixels[source + 3]) / 255
                for channel in 0..<3 {
                    input[pixel * 3 + channel] = (Float(square.pixels[source + channel]) * scale - offset) * alpha
                }
            }
        }
        return Plane(width: Self.side, height: Self.side, values: output)
    }

    /// The bare network: `side` × `side` × 3 normalized numbers in (rows, columns, channels), one plane out.
    ///
    /// - Throws: `.wrongInput` where there are more or fewer, and `.engineFailed`.
    package func run(input: [Float]) throws(SubjectModelError) -> [Float] {
        guard input.count == runtime.inputShape.count else {
            throw SubjectModelError(.wrongInput, "\(input.count) numbers do not fit an input of \(runtime.inputShape)")
        }
        return try runtime.run { span in
            for index in input.indices { span[index] = input[index] }
        }
    }

    private static func makeRuntime(_ weights: RawSpan) throws(SubjectModelError) -> NetworkRuntime {
        let runtime = try NetworkRuntime(weights: weights, side: side)
        guard runtime.outputShape == ValueShape(height: side, width: side, channels: 1) else {
            throw SubjectModelError(.unsupportedNetwork, "the output is \(runtime.outputShape), not one plane")
        }
        return runtime
    }
}
