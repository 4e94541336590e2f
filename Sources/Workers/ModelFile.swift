import LinuxIO
package import SubjectModel
package import SystemPackage
import Systemd

/// A model file from the settings, kept open for the workers and identified by its bytes. Only workers parse it.
package final class ModelFile: Sendable {
    /// The largest file that is hashed or read by a worker.
    private static let maxBytes = 1 << 30

    private let file: OwnedDescriptor
    private let identity: FileIdentity
    /// SHA-256, lowercase hexadecimal: the network's identity in recipes.
    package let fingerprint: String

    /// Reads the file to its end.
    ///
    /// - Throws: `Errno.fileTooLarge`; `Errno.invalidArgument` if it is no regular file.
    package init(opening path: FilePath) throws(Errno) {
        let file = try RegularFile.open(path)
        let raw = file.raw
        identity = try FileStatus(ofDescriptor: raw).identity
        fingerprint = try ContentDigest.sha256(ofDescriptor: raw, limit: Self.maxBytes).hex
        self.file = file
    }

    /// Borrowed: valid while this object lives.
    var descriptor: Int32 { file.raw }

    var byteCount: Int { Int(identity.size) }

    /// Whether the file has not been written to since it was opened: other bytes would be another network under the
    /// same fingerprint.
    var isUntouched: Bool {
        guard let now = try? FileStatus(ofDescriptor: file.raw).identity else { return false }
        return now.size == identity.size && now.modified == identity.modified
    }
}

/// Accompanies the descriptor of a model, as JSON.
struct ModelRequest: Codable, Sendable {
    /// The file's length.
    let byteCount: Int
}

/// A worker's reply to a model, before it gets photos, as JSON.
struct ModelReply: Codable, Sendable {
    /// Why the model cannot be used, in one line for a person; `facts` is nil then.
    var failure: String?
    var facts: ModelFacts?

    private static let maxFailureBytes = 512

    /// Validates the reply: the model itself may have compromised the worker.
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

/// The input size and cost of the workers' model, computed from its graph.
package struct ModelFacts: Codable, Sendable, Equatable {
    /// The size of the network's input, in pixels.
    package let width: Int
    package let height: Int
    /// For one run of the network. A photo may take four, two of them for its thumbnail.
    package let cost: NetworkCost

    /// Multiply-adds per second that every supported core exceeds: a bound for the time limit, not an estimate.
    private static let slowestRate = 2_000_000_000
    private static let passes = 4
    private static let sides = 1...4096

    /// The time a photo may take beyond `limits.secondsPerPhoto`.
    package var extraTime: Duration { .seconds(Self.passes * cost.multiplyAdds / Self.slowestRate + 1) }

    var isPossible: Bool {
        Self.sides.contains(width) && Self.sides.contains(height)
            && (0...NetworkCost.memoryLimit).contains(cost.memory)
            && (0...NetworkCost.multiplyAddLimit).contains(cost.multiplyAdds)
    }
}
