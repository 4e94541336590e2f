/// One thing that is wrong with the settings, and its cure where one is known.
package struct SettingsProblem: Sendable, Equatable {
    /// The dotted key, as it was written; nil when the file as a whole is meant.
    package let key: String?
    package let source: SettingsSource
    /// Names the key and says what it must be.
    package let reason: String
    /// The nearest valid name, where the key is unknown.
    package let suggestion: String?

    init(key: String?, source: SettingsSource, reason: String, suggestion: String? = nil) {
        self.key = key
        self.source = source
        self.reason = reason
        self.suggestion = suggestion
    }
}

extension SettingsProblem: CustomStringConvertible {
    /// One line: `/etc/stickerd/config.json:7: unknown key "sticker.sise"; did you mean "sticker.size"?`
    package var description: String {
        "\(source): \(reason)" + (suggestion.map { "; did you mean \($0.quoted)?" } ?? "")
    }
}
