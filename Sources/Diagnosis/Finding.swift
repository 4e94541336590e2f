import Systemd

/// What `stickerd doctor` found out about one subject, and what to do about it.
struct Finding: Encodable, Equatable, Sendable {
    enum Level: String, Encodable, Sendable {
        case ok
        /// Worth knowing, or hidden from this user; does not change the exit status.
        case note
        case fault
    }

    let level: Level
    /// One word, such as `inbox`; the same for all findings of a check.
    let subject: String
    /// One line for a person.
    let text: String
    /// One sentence with a command; nil if nothing is to be done.
    let cure: String?

    /// The longest text and cure, in UTF-8. Names and reasons in them are untrusted.
    private static let maxBytes = 1024

    private init(_ level: Level, _ subject: String, _ text: String, _ cure: String?) {
        self.level = level
        self.subject = subject
        self.text = PlainText.escaped(text, limit: Self.maxBytes)
        self.cure = cure.map { PlainText.escaped($0, limit: Self.maxBytes) }
    }

    /// The same about a daemon that is not the system's service: its cures name the user's own.
    var ofOwnDaemon: Finding {
        let words = [
            ("sudo systemctl", "systemctl --user"), ("sudo journalctl", "journalctl --user"),
            ("sudo stickerd retry", "stickerd retry"),
        ]
        return Finding(level, subject, text, words.reduce(cure) { $0?.replacing($1.0, with: $1.1) })
    }

    static func ok(_ subject: String, _ text: String) -> Finding { Finding(.ok, subject, text, nil) }

    static func note(_ subject: String, _ text: String, cure: String? = nil) -> Finding {
        Finding(.note, subject, text, cure)
    }

    /// What this user may not see.
    static func hidden(_ subject: String, _ text: String) -> Finding {
        note(subject, text, cure: "run the same command with sudo")
    }

    static func fault(_ subject: String, _ text: String, cure: String) -> Finding {
        Finding(.fault, subject, text, cure)
    }
}

/// Sizes as people read them.
extension Int {
    /// In MiB, or from 10 GiB in GiB.
    var mebibytes: String { self < 10 << 30 ? "\(self >> 20) MiB" : "\(self >> 30) GiB" }
}
