/// Invalid settings: all problems at once, never empty.
package struct SettingsError: Error, Sendable, Equatable {
    package let problems: [SettingsProblem]
}

extension SettingsError: CustomStringConvertible {
    /// One line per problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
