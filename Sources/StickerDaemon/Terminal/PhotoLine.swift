/// A terminal's line about a finished photo: `✓ cat.jpg → cat-1a2b3c4d.png  0.4 s   180/500, 40 s left`.
package struct PhotoLine: Sendable {
    package enum Mark: String, Sendable {
        case made = "✓"
        case failed = "✗"
        case skipped = "–"

        /// As an SGR parameter.
        fileprivate var color: String {
            switch self {
            case .made: "32"
            case .failed: "1;31"
            case .skipped: "2"
            }
        }
    }

    private let mark: Mark
    private let photo: String
    private let result: String
    private let time: String

    /// The fewest columns for a photo's name.
    private static let minPhotoColumns = 8
    /// Between the result, the time and the progress.
    private static let gap = "   "

    /// - Parameters:
    ///   - mark: how it ended.
    ///   - photo: its path, escaped.
    ///   - result: what follows the name, such as ` → cat.png` or `: no clear subject`, escaped.
    ///   - duration: how long it took; nil if that is unknown.
    package init(_ mark: Mark, _ photo: String, _ result: String, duration: Duration? = nil) {
        self.mark = mark
        self.photo = photo
        self.result = result
        time = duration.map { Self.text($0) } ?? ""
    }

    /// The line without its line feed, at most `columns` wide: names are cut, and the progress is left out if there is
    /// no room for it.
    ///
    /// - Parameters:
    ///   - columns: the width.
    ///   - progress: of the backlog, if there is one.
    ///   - hasColor: whether the mark is colored.
    ///   - keepsResult: whether only the photo's name is cut; then `columns` must have room for the result.
    package func text(columns: Int, progress: String?, hasColor: Bool, keepsResult: Bool = false) -> String {
        // In the last column, some terminals would wrap the line.
        let room = columns - 1 - DisplayWidth.of("\(mark.rawValue) ")
        var tail = time.isEmpty ? "" : "  " + time
        let withProgress = tail + (progress.map { Self.gap + $0 } ?? "")
        if Self.minPhotoColumns + DisplayWidth.of(result + withProgress) <= room { tail = withProgress }
        let rest = max(0, room - DisplayWidth.of(tail))
        let wanted = DisplayWidth.of(photo)
        let share = keepsResult ? 0 : min(wanted, max(Self.minPhotoColumns, rest / 2))
        let photoColumns = max(share, rest - DisplayWidth.of(result))
        let name = DisplayWidth.cut(photo, to: min(photoColumns, rest))
        let text = name + DisplayWidth.cut(result, to: max(0, rest - DisplayWidth.of(name))) + tail
        let sign = hasColor ? "\u{1B}[\(mark.color)m\(mark.rawValue)\u{1B}[0m" : mark.rawValue
        return "\(sign) \(DisplayWidth.cut(text, to: room))"
    }

    private static func text(_ duration: Duration) -> String {
        let hundredths = duration.components.seconds * 100 + duration.components.attoseconds / 10_000_000_000_000_000
        // Small photos take less than a tenth of a second.
        guard hundredths >= 10 else { return "0.0\(hundredths) s" }
        return "\(hundredths / 100).\(hundredths % 100 / 10) s"
    }
}
