/// Settings nobody should start with: everything that is wrong with them at once, never empty.
package struct SettingsError: Error, Sendable, Equatable {
    package let problems: [SettingsProblem]
}

extension SettingsError: CustomStringConvertible {
    /// A line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
