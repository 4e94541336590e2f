/// The result of a reload in a running daemon.
package struct SettingsReload: Sendable, Equatable {
    /// The running settings with all changes that a reload can apply.
    package let settings: Settings
    /// Keys with an applied change.
    package let applied: [String]
    /// Keys whose change requires a restart; `settings` keeps their running values.
    package let needsRestart: [String]

    /// One line for a person.
    package var summary: String {
        let changes = applied.isEmpty ? "" : ": " + applied.joined(separator: ", ")
        let restart = needsRestart.isEmpty ? "" : "; restart stickerd to apply " + needsRestart.joined(separator: ", ")
        return "Settings reloaded" + (changes + restart == "" ? "; nothing changed" : changes + restart)
    }

    /// Compares reread settings with `running`: `settings` of the last reload, or those of the start.
    ///
    /// - Throws: if the settings file is missing now. Some editors rename it before they write the new one.
    package init(running: Settings, new: Settings) throws(SettingsError) {
        if let file = running.file, new.file == nil {
            let reason = "missing; put it back, or restart stickerd to run without it"
            throw SettingsError(problems: [.init(key: nil, source: .file(file, line: nil), reason: reason)])
        }
        let changed = SettingKey.all.filter { !$0.isSame(running, new) }
        var settings = running
        for key in changed where key.reloads {
            key.copy(new, &settings)
            settings.sources[key.name] = new.sources[key.name]
        }
        settings.file = new.file
        self.settings = settings
        applied = changed.filter(\.reloads).map(\.name)
        needsRestart = changed.filter { !$0.reloads }.map(\.name)
    }
}
