import Logging

extension Logger.Level {
    /// The syslog priority, as in `<N>` prefixes and the journal's `PRIORITY` (sd-daemon(3)).
    var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// The level's word on a terminal, and its color as an SGR parameter.
    var label: (word: String, color: String) {
        switch self {
        case .trace, .debug: ("\(self)", "2")
        case .info: ("info", "32")
        case .notice: ("notice", "36")
        case .warning: ("warning", "33")
        case .error, .critical: ("\(self)", "1;31")
        }
    }
}
