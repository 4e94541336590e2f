import FileNames
import Glibc
import LinuxIO
import PhotoLibrary
import StickerDaemon
import SystemPackage
import Systemd

/// Prints each photo's result to standard output, errors to standard error, and the progress to standard error: as a
/// live line on a terminal, otherwise as a line every ten seconds.
actor BatchPrinter {
    private let total: Int
    private let things: (one: String, many: String)
    private let target: BatchTarget
    private let overwrites: Bool
    private let hasColor: Bool
    /// Nil if standard output is no terminal.
    private let columns: Int?
    private let screen = TerminalScreen.standardError
    private var backlog = Backlog()
    private var lastProgress = ContinuousClock.now
    private var done = 0
    private var made = 0
    private(set) var failures = 0

    /// The time between two lines of progress.
    private static let interval = Duration.seconds(10)

    /// - Parameters:
    ///   - things: what is made, such as "sticker" and "stickers".
    ///   - environment: whether colors are wanted.
    init(
        total: Int, things: (one: String, many: String), target: BatchTarget, overwrites: Bool,
        environment: [String: String]
    ) {
        self.target = target
        self.overwrites = overwrites
        self.total = total
        self.things = things
        hasColor = TerminalColor.isWanted(on: STDOUT_FILENO, environment: environment)
        columns = isatty(STDOUT_FILENO) == 1 ? TerminalScreen.columns(of: STDOUT_FILENO) : nil
        backlog.update(waiting: total, ended: 0)
        screen?.update(waiting: total, ended: 0)
    }

    func report(_ photo: BatchPhoto, _ outcome: PhotoBatch.Outcome) {
        done += 1
        if let screen {
            screen.withoutLiveLine { print(photo.description, outcome) }
        } else {
            print(photo.description, outcome)
        }
        backlog.update(waiting: total - done, ended: done)
        screen?.update(waiting: total - done, ended: done)
        guard screen == nil, lastProgress.duration(to: .now) >= Self.interval, let text = backlog.text() else { return }
        lastProgress = .now
        Output.complain(text)
    }

    /// Prints the sums if there were several photos.
    func finish() {
        screen?.clear()
        guard total > 1 else { return }
        let failed = failures == 0 ? "" : failures == 1 ? ", 1 photo failed" : ", \(failures) photos failed"
        Output.complain("Finished: \(made) \(made == 1 ? things.one : things.many)\(failed)")
    }

    private func print(_ name: String, _ outcome: PhotoBatch.Outcome) {
        switch outcome {
        case .written(let files, let duration):
            made += files.count
            print(.made, name, " → \(files.map(path).joined(separator: ", "))", duration)
        case .contents(let bytes): write(bytes, of: name)
        case .duplicate(let original): print(.skipped, name, ": duplicate of \(original); no new sticker")
        case .noSubject: print(.skipped, name, ": \(Ending.noSubjectReason)")
        case .ignored(let reason): print(.skipped, name, ": ignored: \(reason)")
        case .failed(let reason):
            failures += 1
            Output.complain("\(name): \(reason)")
        }
    }

    private func write(_ bytes: [UInt8], of name: String) {
        guard case .file(let path) = target, let file = path.lastComponent?.string else {
            made += 1
            return Output.write(bytes)
        }
        do {
            try OutputFile.write(bytes, named: file, in: path.removingLastComponent(), overwrites: overwrites)
            made += 1
            print(.made, name, " → \(InboxPath(bytes: path.bytes))")
        } catch let error as CommandFailure {
            failures += 1
            Output.complain("\(name): \(error)")
        } catch {
            failures += 1
            Output.complain("\(name): \(InboxPath(bytes: path.bytes)): cannot be written: \(error)")
        }
    }

    /// The whole path of a file in the folder, escaped.
    private func path(_ file: String) -> String {
        InboxPath(bytes: target.folder.map { $0.appending(file).bytes } ?? Array(file.utf8)).description
    }

    /// Full lines in files and pipes. On a terminal, names are cut, but results, which people copy, are complete.
    private func print(_ mark: PhotoLine.Mark, _ name: String, _ result: String, _ duration: Duration? = nil) {
        guard let columns else { return Output.print(name + result) }
        let width = max(columns, DisplayWidth.of(result) + Self.minColumns)
        let line = PhotoLine(mark, name, result, duration: duration)
        Output.print(line.text(columns: width, progress: nil, hasColor: hasColor, keepsResult: true))
    }

    /// For the mark, a cut name and the time.
    private static let minColumns = 20
}
