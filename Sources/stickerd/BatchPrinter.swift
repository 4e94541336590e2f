import Glibc
import StickerDaemon

/// Prints each photo's result to standard output, errors to standard error, and a progress bar to standard error if
/// that is a terminal.
actor BatchPrinter {
    private let total: Int
    private let showsProgress = isatty(STDERR_FILENO) == 1
    private var done = 0
    private(set) var failures = 0

    private static let barWidth = 30

    init(total: Int) {
        self.total = total
    }

    func report(_ photo: BatchPhoto, _ outcome: PhotoBatch.Outcome) {
        done += 1
        clearBar()
        let name = photo.description
        switch outcome {
        case .written(let files): Output.print("\(name) → \(files.joined(separator: ", "))")
        case .contents(let bytes): Output.write(bytes)
        case .duplicate(let original): Output.print("\(name): the same photo as \(original)")
        case .noSubject(let confidence): Output.print("\(name): no clear subject (confidence \(confidence))")
        case .failed(let reason):
            failures += 1
            Output.complain("\(name): \(reason)")
        }
        drawBar()
    }

    func finish() {
        clearBar()
    }

    private func drawBar() {
        guard showsProgress, done < total else { return }
        let filled = Self.barWidth * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
        Output.draw("\(bar) \(done)/\(total)")
    }

    private func clearBar() {
        guard showsProgress else { return }
        Output.draw("\r\u{1B}[2K")
    }
}
