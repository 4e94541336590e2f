import LinuxIO
package import SubjectModel
package import SystemPackage
import Systemd

/// A model that the settings name: open for as long as workers may need it, and known by its bytes. Only workers look
/// further into it.
package final class ModelFile: Sendable {
    /// No larger file is hashed, or read by a worker.
    private static let maxBytes = 1 << 30

    private let file: OwnedDescriptor
    private let identity: FileIdentity
    /// SHA-256, lowercase hexadecimal: what stands in recipes for the network's weights.
    package let fingerprint: String

    /// Reads the file to its end.
    ///
    /// - Throws: `Errno.fileTooLarge`; `Errno.invalidArgument` if it is no regular file.
    package init(opening path: FilePath) throws(Errno) {
        // Opening a FIFO must not wait for a writer.
        let file = try OwnedDescriptor(opening: path, options: .nonBlocking)
        let raw = file.raw
        let status = try FileStatus(ofDescriptor: raw)
        guard status.kind == .regular else { throw .invalidArgument }
        fingerprint = try ContentDigest.sha256(ofDescriptor: raw, limit: Self.maxBytes).hex
        identity = status.identity
        self.file = file
    }

    /// Borrowed: valid while this object lives.
    var descriptor: Int32 { file.raw }

    var byteCount: Int { Int(identity.size) }

    /// Whether nothing has written to the file since it was opened: other bytes would be another network under the
    /// same fingerprint.
    var isUntouched: Bool {
        guard let now = try? FileStatus(ofDescriptor: file.raw).identity else { return false }
        return now.size == identity.size && now.modified == identity.modified
    }
}

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
        guard let facts, facts.isPossible else {
            throw WorkerError.invalidReply("its facts about the model are missing or out of range")
        }
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
