import Foundation
import TestSupport
import Testing

@testable import SubjectModel

@Suite("A pass of the embedded network")
struct QuantizedPassTests {
    @Test("Tests/Platforms/pass.txt, by which instructions are counted, lists its calls")
    func calls() throws {
        let plan = try QuantizedPlan(NetworkPlan(EmbeddedWeights()))
        let file = Repository.root.appending(path: "Tests/Platforms/pass.txt")
        let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(plan.steps.map(Self.line) == expected)
    }

    /// The name of the function in C, and its sizes.
    private static func line(_ step: QuantizedPlan.Step) -> String {
        func line(_ name: String, _ shape: ValueShape, _ more: Int...) -> String {
            ([name] + ([shape.width, shape.height, shape.channels] + more).map(String.init)).joined(separator: " ")
        }
        return switch step.call {
        case .neighborhoods(let shape, _): line("neighborhoods", shape)
        case .multiply(let pixels, let inputs, let outputs, _): "multiply \(pixels) \(inputs) \(outputs)"
        case .depthwise(let shape, let kernel, let stride, _, _): line("depthwise", shape, kernel, stride)
        case .add(_, let repeats, _, _): "add \(step.output.count / repeats) \(repeats)"
        case .double(let shape): line("double", shape)
        case .average(let shape, _, _): line("average", shape)
        case .head(let shape, _): line("head", shape)
        case .probability(let shape): "probability \(shape.width) \(shape.height)"
        }
    }
}
