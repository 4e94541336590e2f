/// Decides whether a worker gets more time for its reply, each time that the limit has passed.
///
/// The limit counts what the worker could use of the processor: while other programs use all of it, a service with
/// `CPUWeight=idle` gets .3 %, and nothing is wrong with its photos.
struct ReplyLimit {
    /// Why a worker gets no more time.
    enum Overrun: Error {
        /// It used the processor for as long as the limit, or has ended.
        case busy
        /// It used no processor time for as long as the limit, and for at least `shortestHang`.
        case hung
        /// It took `maxPeriods` times the limit.
        case starved
        /// The workers are stopping, and it used less than the limit.
        case stopping
    }

    /// How many times the limit a reply may take.
    static let maxPeriods = 20
    /// Idle scheduling lets a process run only every few seconds.
    static let shortestHang = Duration.seconds(10)
    /// The part of the limit that counts as the whole: a worker that only computes is never alone on the processor.
    private static let whole = 0.9

    private let limit: Duration
    private let atStart: Duration?
    private var atLastLook: Duration?
    private var periods = 0
    private var timeSinceProgress = Duration.zero

    /// - Parameter used: the worker's processor time so far; nil if it has ended.
    init(_ limit: Duration, used: Duration?) {
        self.limit = limit
        (atStart, atLastLook) = (used, used)
    }

    /// Call it when the limit has passed, again.
    ///
    /// - Returns: nil if the worker gets as much time again.
    mutating func overrun(used: Duration?) -> Overrun? {
        periods += 1
        timeSinceProgress = used == atLastLook ? timeSinceProgress + limit : .zero
        atLastLook = used
        guard let used, let atStart, used - atStart < limit * Self.whole else { return .busy }
        if timeSinceProgress >= Self.shortestHang { return .hung }
        return periods < Self.maxPeriods ? nil : .starved
    }
}

extension ReplyLimit.Overrun {
    /// What follows the limit in the photo's error.
    var explanation: String {
        switch self {
        case .busy, .stopping: ""
        case .hung: ": its worker hung, using no processor time"
        case .starved: ": its worker lacked processor time for \(ReplyLimit.maxPeriods) times as long"
        }
    }
}
