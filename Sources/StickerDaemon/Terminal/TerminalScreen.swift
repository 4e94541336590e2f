import Foundation
import Glibc
import Synchronization
import Systemd

/// Lines on a terminal, above one live line that shows the progress of a backlog.
///
/// All text must be escaped: only this type writes control sequences.
package final class TerminalScreen: Sendable {
    private struct State {
        var backlog = Backlog()
        var isLineShown = false
    }

    /// Standard error; nil if it is no terminal.
    package static let standardError: TerminalScreen? = isatty(STDERR_FILENO) == 1 ? TerminalScreen() : nil

    private let state = Mutex(State())
    private let hasColor: Bool
    /// Whether the terminal can erase a line.
    private let hasLiveLine: Bool

    private static let defaultColumns = 80
    /// Narrower terminals show the progress only in the live line.
    private static let widthForProgress = 60
    private static let erasure = "\r\u{1B}[2K"

    private init() {
        let environment = ProcessInfo.processInfo.environment
        hasColor = TerminalColor.isWanted(on: STDERR_FILENO, environment: environment)
        hasLiveLine = environment["TERM"] != "dumb"
    }

    /// The terminal's width; it may change at any time.
    package static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        // The structure outlives the call.
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return defaultColumns }
        return Int(size.ws_col)
    }

    /// Records the counts as `Backlog.update`, and redraws the live line.
    package func update(waiting: Int, ended: Int) {
        state.withLock { state in
            state.backlog.update(waiting: waiting, ended: ended)
            draw("", &state)
        }
    }

    /// Removes the live line.
    package func clear() {
        state.withLock { state in
            state.backlog = Backlog()
            draw("", &state)
        }
    }

    /// Prints text above the live line; it may have several lines, and ends with a line feed.
    package func print(_ text: String) {
        state.withLock { draw(text, &$0) }
    }

    /// Runs `body`, which may write to the same terminal, while there is no live line.
    package func withoutLiveLine(_ body: () -> Void) {
        state.withLock { state in
            LogQueue.print(erased(&state))
            body()
            draw("", &state)
        }
    }

    /// Prints a finished photo's line.
    package func print(_ line: PhotoLine) {
        state.withLock { state in
            state.backlog.finish()
            let columns = Self.columns(of: STDERR_FILENO)
            let progress = columns < Self.widthForProgress ? nil : state.backlog.text()
            draw(line.text(columns: columns, progress: progress, hasColor: hasColor) + "\n", &state)
        }
    }

    private func draw(_ text: String, _ state: inout State) {
        var output = erased(&state) + text
        if hasLiveLine, let progress = state.backlog.text() {
            // In the last column, some terminals would wrap the line.
            let columns = Self.columns(of: STDERR_FILENO) - 1
            output += DisplayWidth.cut(progress, to: columns)
            state.isLineShown = true
        }
        LogQueue.print(output)
    }

    private func erased(_ state: inout State) -> String {
        defer { state.isLineShown = false }
        return state.isLineShown ? Self.erasure : ""
    }
}
