import PackFacts

extension PictureStore {
    /// What `make` leaves undone.
    struct Missing {
        /// Why stickers have no picture, in words for a person.
        var refused: [PackEntry: String] = [:]
        /// Whether that may change although the pack does not.
        var isTemporary = false

        mutating func add(_ sticker: PackEntry, _ failure: Failure) {
            refused[sticker] = failure.reason
            if failure.mayRetry { isTemporary = true }
        }
    }

    /// What did not work in this pass.
    struct Failure {
        let reason: String
        let mayRetry: Bool
    }
}
