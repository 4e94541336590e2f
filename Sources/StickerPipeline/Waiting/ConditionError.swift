import LinuxIO
import PhotoLibrary

/// A condition stopped the work on a photo, which goes back to its place in the queue.
struct ConditionError: Error {
    let condition: Condition
    /// One line for people.
    let reason: String

    init(_ condition: Condition, _ reason: String) {
        self.condition = condition
        self.reason = reason
    }
}

extension OutboxError {
    /// The condition that it shows, where a photo of `pack` met it.
    func condition(inPack pack: String) -> Condition {
        if isAway { return .outboxAway }
        return cause?.isShortage == true ? .shortage : .pack(ExactName(pack))
    }
}
