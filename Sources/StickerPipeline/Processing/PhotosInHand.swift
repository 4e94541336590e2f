/// Which photos are being worked on, so that files with the same bytes are worked on one after the other, in the order
/// in which they queued up.
struct PhotosInHand {
    /// A place in the queue of one photo.
    struct Turn: Sendable {
        fileprivate let photo: String
        fileprivate let before: OneShot<Void>?
        fileprivate let finished = OneShot<Void>()

        /// Waits until everybody before has finished.
        func wait() async { await before?.value }
    }

    private var last: [String: OneShot<Void>] = [:]

    /// Joins the queue for a photo, named by its SHA-256, or for whatever else has a name. Every turn must be finished,
    /// or those behind it wait for ever.
    mutating func queueUp(for photo: String) -> Turn {
        let turn = Turn(photo: photo, before: last[photo])
        last[photo] = turn.finished
        return turn
    }

    mutating func finish(_ turn: Turn) {
        if last[turn.photo] === turn.finished { last[turn.photo] = nil }
        turn.finished.set(())
    }
}
