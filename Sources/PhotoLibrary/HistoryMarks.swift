import Foundation

/// Determines which history has expired, by two clocks: the wall clock, which may be wrong for a while, and how long
/// daemons have run. Time for which none runs does not count, so history is kept longer then.
struct HistoryMarks: Codable, Equatable {
    private struct Mark: Codable, Equatable {
        /// How long daemons had run, in seconds.
        let ran: Double
        /// The wall clock's time then.
        let date: Date
    }

    private var ran = 0.0
    /// The newest expired mark and all later ones.
    private var marks: [Mark] = []

    /// How many marks cover the time for which history is kept.
    private static let count = 32.0

    init() {}

    /// Records that a daemon has run for some time.
    ///
    /// - Parameters:
    ///   - seconds: since the last call.
    ///   - age: for how long history is kept, in seconds.
    /// - Returns: a time before which history is older than that by both clocks; nil if daemons have not run for so
    ///   long.
    mutating func advance(by seconds: Double, to now: Date, age: Double) -> Date? {
        ran += seconds
        if marks.last.map({ ran - $0.ran >= age / Self.count }) ?? true { marks.append(Mark(ran: ran, date: now)) }
        let old = marks.prefix { ran - $0.ran >= age }
        marks.removeFirst(max(0, old.count - 1))
        return old.last.map { min($0.date, now - age) }
    }
}
