/// Why the network could not be built or run. No photo causes this.
package struct SubjectModelError: Error, Sendable, CustomStringConvertible {
    package struct Code: Sendable, Hashable {
        private enum Kind { case badWeights, unsupportedNetwork, wrongInput, engineFailed }
        private let kind: Kind

        /// The file is not a well-formed safetensors file, or lacks tensors that its graph names.
        package static let badWeights = Code(kind: .badWeights)
        /// A well-formed file whose network this build cannot run.
        package static let unsupportedNetwork = Code(kind: .unsupportedNetwork)
        /// The numbers handed in do not fit the network's input.
        package static let wrongInput = Code(kind: .wrongInput)
        /// XNNPACK refused to start, to build or to run.
        package static let engineFailed = Code(kind: .engineFailed)
    }

    package let code: Code
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package static func needsMemory(_ cost: NetworkCost) -> SubjectModelError {
        SubjectModelError(.unsupportedNetwork, "it needs \(cost.memory >> 20) MiB of memory; the machine has less")
    }

    package var description: String { "subject model: \(detail)" }
}
