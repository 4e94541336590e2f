/// One problem with the settings, and its fix if there is one.
package struct SettingsProblem: Sendable, Equatable {
    /// The dotted key, as written; nil if the problem is the whole file.
    package let key: String?
    package let source: SettingsSource
    /// Names the key and the values that it accepts.
    package let reason: String
    /// The nearest valid name, if the key is unknown.
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
