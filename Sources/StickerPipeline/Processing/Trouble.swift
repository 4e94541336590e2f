import LinuxIO
import PhotoLibrary
import SystemPackage

/// The world refuses something that a photo needs: no fault of the photo's, which goes back to its place in the queue.
struct Trouble: Error {
    let cause: Holds.Cause
    /// One line for a person.
    let reason: String

    init(_ cause: Holds.Cause, _ reason: String) {
        self.cause = cause
        self.reason = reason
    }
}

extension Holds.Cause {
    /// What is said when it begins.
    var beginning: String {
        switch self {
        case .pack: "The outbox cannot be written; its photos wait for the next try"
        case .photo: "A photo cannot be read just now; it waits for the next try"
        case .leased: "Another process has a lease on a photo; it waits for the next try"
        case .inbox: "The inbox cannot be read just now; its photos wait for the next try"
        case .shortage: "The system is short of something; photos wait for the next try"
        case .space: "The disk is nearly full; photos wait until there is room"
        case .outbox: "The outbox is away; work waits until it is back"
        }
    }

    /// What is said when it is over.
    var end: String {
        switch self {
        case .pack: "The outbox can be written again"
        case .photo: "A photo can be read again"
        case .leased: "The lease on a photo has ended"
        case .inbox: "The inbox can be read again"
        case .shortage: "The system has enough again"
        case .space: "There is room on the disk again"
        case .outbox: "The outbox is back"
        }
    }

    /// Its name among the obstacles.
    var key: String {
        switch self {
        case .pack(let pack): "pack \(pack)"
        case .photo(let file): "photo \(file)"
        case .leased(let file): "lease \(file)"
        case .inbox: "inbox"
        case .shortage: "shortage"
        case .space: "space"
        case .outbox: "outbox place"
        }
    }
}

extension OutboxError {
    /// Who has to wait for it to be over, where a photo of `pack` met it.
    func cause(inPack pack: String) -> Holds.Cause {
        if isAway { return .outbox }
        return cause?.isShortage == true ? .shortage : .pack(ExactName(pack))
    }
}
