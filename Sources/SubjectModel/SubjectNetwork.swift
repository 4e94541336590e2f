package import PhotoRaster

/// Finds the subject of a photo. Builds the network once, and runs it on one core, one photo after another.
///
/// The embedded network computes in 8 bits: the same photo gives the same numbers on every processor. Others compute in
/// floats by XNNPACK, which chooses its kernels by processor, so their results may differ in the last bits.
package actor SubjectNetwork {
    /// The side of the embedded network's square input, in pixels. Photos are stretched to it.
    package static let side = 352
    /// The same for `finerProbability`. With 512, masks of the validation photos are no better, and two of 293 more
    /// have a false hole.
    private static let finerSide = 480
    /// Identifies the embedded weights: 16 hex digits, the 64-bit FNV-1a (Fowler, Noll, Vo) of the file. A constant,
    /// because reading all of the file at each start takes 10 ms.
    package static let weightsDigest = "a009cfe2c83db644"

    private enum Engine {
        /// With the same network for a larger input.
        case quantized(QuantizedNetwork, finer: QuantizedNetwork)
        /// With the network's input for each of a channel's 256 values, for red, green and blue.
        case floats(NetworkRuntime, normalized: [[Float]])
    }

    private let engine: Engine
    private let inputShape: ValueShape
    /// Whether the network is a user's: its outputs may be out of range.
    package nonisolated let isForeign: Bool
    /// The longer side of the network's input, in pixels.
    package nonisolated let side: Int
    package nonisolated let cost: NetworkCost
    /// The size of the network's input, in pixels.
    package nonisolated let inputSize: (width: Int, height: Int)
    /// Whether to apply `stretched()` to `probability(of:)` before cutting.
    package nonisolated let stretches: Bool

    /// Builds the network from the embedded weights. Takes a few milliseconds.
    ///
    /// - Parameter inFloats: computes in floats, to measure what 8 bits change.
    package init(inFloats: Bool = false) throws(SubjectModelError) {
        let source = EmbeddedWeights()
        let plan = try NetworkPlan(source)
        try self.init(plan, source, isForeign: false, isQuantized: !inFloats)
        EmbeddedWeights.unload()
    }

    /// Builds the network from the bytes of a trusted safetensors file; its outputs are returned as they are.
    package init(weights: [UInt8]) throws(SubjectModelError) {
        let source = WeightArray(bytes: weights)
        try self.init(try NetworkPlan(source), source, isForeign: false, isQuantized: false)
    }

    /// Builds the network of `model`, whose descriptor may be closed afterwards.
    package init(_ model: SubjectModelFile) throws(SubjectModelError) {
        try self.init(model.plan, model.source, isForeign: true, isQuantized: false)
    }

    private init(
        _ plan: NetworkPlan, _ source: some WeightSource, isForeign: Bool, isQuantized: Bool
    ) throws(SubjectModelError) {
        self.isForeign = isForeign
        if isQuantized {
            let (usual, finer) = (try QuantizedPlan(plan), try QuantizedPlan(plan, side: Self.finerSide))
            let constants = try usual.packedConstants(from: source)
            // Only one of them runs at a time.
            let memory = QuantizedMemory(byteCount: max(usual.layout.byteCount, finer.layout.byteCount))
            engine = .quantized(
                QuantizedNetwork(usual, constants: constants, memory: memory),
                finer: QuantizedNetwork(finer, constants: constants, memory: memory))
        } else {
            let normalized = zip(plan.graph.mean, plan.graph.std).map { mean, std in
                (0...255).map { Float($0) * (1 / (255 * std)) - mean / std }
            }
            engine = .floats(try NetworkRuntime(plan, weights: source), normalized: normalized)
        }
        inputShape = plan.graph.inputShape
        side = max(inputShape.width, inputShape.height)
        cost = plan.cost
        inputSize = (inputShape.width, inputShape.height)
        stretches = plan.graph.stretches
    }

    /// Call it before confinement if the network of a file is to be built after.
    package static func prepare() throws(SubjectModelError) { try NetworkRuntime.prepareEngine() }

    /// The probability that each pixel belongs to the subject, 0…1, for the photo stretched to the network's input.
    ///
    /// A transparent pixel counts as the network's mean color.
    ///
    /// - Parameter mirrored: the network processes the mirror image. The result is not mirrored.
    /// - Throws: `.engineFailed`, also if the network's output is NaN.
    package func probability(of photo: Raster, mirrored: Bool = false) throws(SubjectModelError) -> Plane {
        let square = photo.resampled(width: inputShape.width, height: inputShape.height, kernel: .area)
        guard mirrored else { return try probability(ofStretched: square) }
        return try probability(ofStretched: square.mirrored()).mirrored()
    }

    /// The same with a larger input, for details: larger things are found less well. Nil unless the network is embedded
    /// and computes in 8 bits.
    package func finerProbability(of photo: Raster) throws(SubjectModelError) -> Plane? {
        guard case .quantized(_, let finer) = engine else { return nil }
        let side = Self.finerSide
        let square = photo.resampled(width: side, height: side, kernel: .area)
        return Plane(width: side, height: side, values: finer.run(on: square.pixels))
    }

    /// - Parameter square: of the size of the network's input.
    private func probability(ofStretched square: Raster) throws(SubjectModelError) -> Plane {
        let output: [Float]
        switch engine {
        case .quantized(let network, _):
            output = network.run(on: square.pixels)
        case .floats(let runtime, let normalized):
            let (red, green, blue) = (normalized[0], normalized[1], normalized[2])
            output = try runtime.run { input in
                for pixel in 0..<inputShape.height * inputShape.width {
                    let source = pixel * Raster.channels
                    let alpha = Float(square.pixels[source + 3]) / 255
                    input[pixel * 3] = red[Int(square.pixels[source])] * alpha
                    input[pixel * 3 + 1] = green[Int(square.pixels[source + 1])] * alpha
                    input[pixel * 3 + 2] = blue[Int(square.pixels[source + 2])] * alpha
                }
            }
        }
        return Plane(
            width: inputShape.width, height: inputShape.height, values: isForeign ? try Self.sound(output) : output)
    }

    /// The output of a network from a file, validated and clipped to 0…1.
    private static func sound(_ output: [Float]) throws(SubjectModelError) -> [Float] {
        guard output.allSatisfy({ !$0.isNaN }) else {
            throw SubjectModelError(.engineFailed, "the network's output contains NaN")
        }
        return output.map { min(max($0, 0), 1) }
    }

    /// Runs a network that computes in floats on rows × columns × 3 normalized numbers; returns one plane. For tests.
    package func run(input: [Float]) throws(SubjectModelError) -> [Float] {
        guard case .floats(let runtime, _) = engine, input.count == inputShape.count else {
            preconditionFailure("The network computes in 8 bits, or has another input")
        }
        return try runtime.run { span in
            for index in input.indices { span[index] = input[index] }
        }
    }
}

/// The reason why the network could not be built or run. Independent of the photo.
package struct SubjectModelError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// The file is not a well-formed safetensors file, or lacks tensors that its graph names.
        case badWeights
        /// A well-formed file whose network this build cannot run.
        case unsupportedNetwork
        /// XNNPACK refused to start, to build or to run.
        case engineFailed
    }

    /// In bytes. A file may contain names and shapes of any length.
    package static let detailLimit = 512

    package let code: Code
    /// One line for a person, of at most `detailLimit` bytes; may contain any text of the file.
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = String(decoding: detail.utf8.prefix(Self.detailLimit - 2), as: UTF8.self)
    }

    package static func needsMemory(_ cost: NetworkCost) -> SubjectModelError {
        SubjectModelError(.unsupportedNetwork, "it needs \(cost.memory >> 20) MiB of memory; the machine has less")
    }

    package var description: String { "subject model: \(detail)" }
}
