/// Which photos are being worked on, so that files with the same bytes are worked on one after the other, in the order
/// in which they queued up.
actor PhotosInHand {
    /// A place in the queue of one photo.
    struct Turn: Sendable {
        fileprivate let photo: String
        fileprivate let before: OneShot<Void>?
        fileprivate let finished = OneShot<Void>()
    }

    private var last: [String: OneShot<Void>] = [:]

    /// Joins the queue for a photo, named by its SHA-256.
    func queueUp(for photo: String) -> Turn {
        let turn = Turn(photo: photo, before: last[photo])
        last[photo] = turn.finished
        return turn
    }

    /// Waits until everybody before has finished.
    nonisolated func wait(for turn: Turn) async {
        await turn.before?.value
    }

    func finish(_ turn: Turn) {
        if last[turn.photo] === turn.finished { last[turn.photo] = nil }
        turn.finished.set(())
    }
}
