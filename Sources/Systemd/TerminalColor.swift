import Glibc

/// Whether a stream may get escape sequences for colors.
package enum TerminalColor {
    /// True for a terminal, unless `NO_COLOR` is not empty (no-color.org) or `TERM` is `dumb`.
    package static func isWanted(on descriptor: Int32, environment: [String: String]) -> Bool {
        isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
}
