import StickerPipeline

/// Who wants to hear that the state of a file changed.
struct Bells: Sendable {
    let index = Wakeup()
    let report = Wakeup()

    func stateChanged() {
        index.ring()
        report.ring()
    }
}
