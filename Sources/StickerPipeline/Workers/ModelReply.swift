package import SubjectModel
import Systemd

/// Comes with the descriptor of a model. Travels as JSON.
struct ModelRequest: Codable, Sendable {
    /// The file's length.
    let byteCount: Int
}

/// What a worker answers when it was given a model, before it gets photos. Travels as JSON.
struct ModelReply: Codable, Sendable {
    /// Why the model cannot be used: one line for a person. Nothing else is set then.
    var failure: String?
    var facts: ModelFacts?

    private static let maxFailureBytes = 512

    /// The worker may be compromised, by this very model.
    ///
    /// - Throws: `.unusableModel` with the reason; `.died` if this is no reply.
    func checked() throws(WorkerError) -> ModelFacts {
        if let failure {
            throw WorkerError(
                .unusableModel, "the model cannot be used: \(PlainText.escaped(failure, limit: Self.maxFailureBytes))")
        }
        guard let facts, facts.isPossible else { throw WorkerError.invalidReply("it says nothing of the model") }
        return facts
    }
}

/// What the workers' model takes, as its graph says.
package struct ModelFacts: Codable, Sendable, Equatable {
    /// The size of what the network sees, in pixels.
    package let width: Int
    package let height: Int
    /// For one look at a photo; a small subject gets a second one.
    package let cost: NetworkCost

    /// No core that runs stickerd does less: the limit on time, not an estimate.
    private static let slowestRate = 2_000_000_000
    private static let looks = 2
    private static let sides = 1...4096

    package init(width: Int, height: Int, cost: NetworkCost) {
        self.width = width
        self.height = height
        self.cost = cost
    }

    /// What a photo may take beyond `limits.secondsPerPhoto`.
    package var extraTime: Duration { .seconds(Self.looks * cost.multiplyAdds / Self.slowestRate + 1) }

    var isPossible: Bool {
        Self.sides.contains(width) && Self.sides.contains(height)
            && (0...NetworkCost.memoryLimit).contains(cost.memory)
            && (0...NetworkCost.multiplyAddLimit).contains(cost.multiplyAdds)
    }
}
