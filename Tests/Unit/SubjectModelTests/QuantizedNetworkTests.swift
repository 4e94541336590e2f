import PhotoRaster
import TestSupport
import Testing

@testable import SubjectModel

@Suite("A network in 8 bits")
struct QuantizedNetworkTests {
    private static let side = SmallNetwork.side

    /// A ramp in each color.
    private static let photo = Raster(width: side, height: side) { x, y in
        [UInt8(x * 8), UInt8(y * 8), UInt8((y * side + x) * 7 & 255), 255]
    }

    private static func network(_ small: SmallNetwork) throws -> QuantizedNetwork {
        let file = WeightArray(bytes: try small.bytes)
        let plan = try QuantizedPlan(NetworkPlan(file))
        return try QuantizedNetwork(
            plan, constants: plan.packedConstants(from: file),
            memory: QuantizedMemory(byteCount: plan.layout.byteCount))
    }

    @Test("It computes nearly what it computes in floats, again in a second run")
    func similar() async throws {
        let small = SmallNetwork()
        let exact = try await SubjectNetwork(weights: small.bytes).probability(of: Self.photo).values
        let network = try Self.network(small)
        let rounded = network.run(on: Self.photo.pixels)
        #expect(rounded.count == exact.count)
        let differences = zip(exact, rounded).map { abs($0 - $1) }
        #expect(differences.reduce(0, +) / Float(differences.count) < 0.01)
        // Otherwise the comparison would be of a constant.
        #expect(try #require(exact.max()) - #require(exact.min()) > 0.3)
        #expect(network.run(on: Self.photo.pixels) == rounded)
    }

    @Test("A network for a larger input has the same constants, and computes as if its file had this side")
    func sides() throws {
        var small = SmallNetwork()
        let file = WeightArray(bytes: try small.bytes)
        let plan = try NetworkPlan(file)
        let (usual, larger) = (try QuantizedPlan(plan), try QuantizedPlan(plan, side: 2 * Self.side))
        small.tiny.metadata["width"] = "\(2 * Self.side)"
        small.tiny.metadata["height"] = "\(2 * Self.side)"
        let other = try Self.network(small)

        let constants = try usual.packedConstants(from: file)
        let memory = QuantizedMemory(byteCount: max(usual.layout.byteCount, larger.layout.byteCount))
        let first = QuantizedNetwork(usual, constants: constants, memory: memory)
        let second = QuantizedNetwork(larger, constants: constants, memory: memory)
        let before = first.run(on: Self.photo.pixels)
        let photo = (0..<16 * Self.side * Self.side).map { UInt8(truncatingIfNeeded: $0 * $0 / 64) }
        let probabilities = [second, other].map { $0.run(on: photo) }
        #expect(probabilities[0].count == 4 * Self.side * Self.side && probabilities[0] == probabilities[1])
        #expect(first.run(on: Self.photo.pixels) == before)
    }

    private typealias Change = Damage<SmallNetwork>

    @Test(
        "An unsuitable network is rejected",
        arguments: [
            Change("no ranges", .badWeights) { $0.tiny.metadata["ranges"] = "{}" },
            Change("different means") { $0.tiny.mean = "0.5,0.4,0.5" },
            Change("different deviations") { $0.tiny.std = "0.5,0.5,0.4" },
            Change("no byte for the mean") { $0.tiny.mean = "1.5" },
            Change("the single pixel first") { $0.change("h", #"["g","n"]"#, to: #"["n","g"]"#) },
            Change("a convolution with gaps") {
                $0.change("b", #""padding":1"#, to: #""padding":2,"dilation":2"#)
            },
            Change("a convolution that may exceed 32 bits", .badWeights) { $0.ranges["c"] = "[-1e-7,1e-7]" },
            Change("a sum that may exceed 32 bits", .badWeights) { $0.ranges["h"] = "[-1e-7,1e-7]" },
            Change("an average that may exceed 32 bits", .badWeights) { $0.ranges["m"] = "[-1e-7,1e-7]" },
            Change("a depthwise convolution of negative values") { $0.change("a", "relu6", to: "none") },
            Change("another end") { $0.change("k", #""activation":"none""#, to: #""activation":"relu""#) },
        ])
    private func unsuitable(change: Change) throws {
        var small = SmallNetwork()
        change.apply(&small)
        let error = #expect(throws: SubjectModelError.self) { _ = try Self.network(small) }
        #expect(error?.code == change.code, "\(error.map { "\($0)" } ?? "accepted")")
    }

    /// The 64 bytes of memory that a part has.
    private static func lines(_ part: MemoryPart) -> Range<Int> {
        part.offset / MemoryPart.alignment..<(part.offset + MemoryPart.lines(part.count)) / MemoryPart.alignment
    }

    @Test("Constants do not overlap, and those of the embedded network have the same places for each side")
    func constants() throws {
        let plan = try NetworkPlan(EmbeddedWeights())
        func parts(side: Int) throws -> [Range<Int>] {
            try QuantizedPlan(plan, side: side).packings.flatMap { packing in
                [packing.constants.weights, packing.constants.scales, packing.constants.offsets].map(Self.lines)
            }
        }
        let usual = try parts(side: SubjectNetwork.side)
        #expect(Set(usual.joined()).count == usual.map(\.count).reduce(0, +))
        #expect(try parts(side: 480) == usual)
    }

    /// For every 64 bytes of memory the step that wrote them last.
    @Test("No step overwrites a value before its last use", arguments: [false, true])
    func memory(isEmbedded: Bool) throws {
        let plan = try QuantizedPlan(
            isEmbedded ? NetworkPlan(EmbeddedWeights()) : NetworkPlan(WeightArray(bytes: SmallNetwork().bytes)))
        let line = MemoryPart.alignment
        let lines = Self.lines
        var writers = [Int: Int]()
        for index in lines(plan.input) { writers[index] = -1 }
        var outputs = [-1: plan.input]
        for (number, step) in plan.steps.enumerated() {
            var (inputs, written) = ([step.input], [step.output])
            if case .add(let other, _, _, _) = step.call { inputs.append(other) }
            if case .depthwise(_, _, _, _, let scratch) = step.call { written.append(scratch) }
            for input in inputs {
                let writer = try #require(writers[input.offset / line])
                #expect(outputs[writer]?.offset == input.offset && outputs[writer]?.count == input.count)
                #expect(lines(input).allSatisfy { writers[$0] == writer }, "step \(number) reads overwritten bytes")
            }
            let touched = written.flatMap { lines($0) }
            #expect(Set(touched).count == touched.count)
            #expect(Set(touched).isDisjoint(with: inputs.flatMap { lines($0) }))
            for index in touched { writers[index] = number }
            outputs[number] = step.output
        }
        #expect(plan.layout.byteCount < 8 << 20 && plan.constantLayout.byteCount < 5 << 20)
    }
}
