/// One FIFO queue per key: turns with the same key run one after the other.
package struct KeyedQueue {
    /// A place in the queue of one key.
    package struct Turn: Sendable {
        fileprivate let key: String
        fileprivate let before: OneShot<Void>?
        fileprivate let finished = OneShot<Void>()

        /// Waits until all earlier turns have finished.
        package func wait() async { await before?.value }
    }

    private var last: [String: OneShot<Void>] = [:]

    package init() {}

    /// Joins the queue of `key`. Every turn must be finished, or later ones wait forever.
    package mutating func join(_ key: String) -> Turn {
        let turn = Turn(key: key, before: last[key])
        last[key] = turn.finished
        return turn
    }

    /// Lets the next turn with the same key begin.
    package mutating func finish(_ turn: Turn) {
        if last[turn.key] === turn.finished { last[turn.key] = nil }
        turn.finished.set(())
    }
}
