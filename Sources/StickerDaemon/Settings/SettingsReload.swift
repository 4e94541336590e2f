/// What comes of new settings in a daemon that is running.
package struct SettingsReload: Sendable, Equatable {
    /// The running settings with every change taken over that can be.
    package let settings: Settings
    /// Keys that were taken over.
    package let applied: [String]
    /// Keys whose change waits for a restart; `settings` keeps their running values.
    package let needsRestart: [String]

    /// - Parameter running: what `settings` was after the last reload, or what the daemon started with.
    package init(running: Settings, new: Settings) {
        let changed = SettingKey.all.filter { !$0.isSame(running, new) }
        var settings = running
        for key in changed where key.reloads {
            key.copy(new, &settings)
            settings.sources[key.name] = new.sources[key.name]
        }
        self.settings = settings
        applied = changed.filter(\.reloads).map(\.name)
        needsRestart = changed.filter { !$0.reloads }.map(\.name)
    }
}
