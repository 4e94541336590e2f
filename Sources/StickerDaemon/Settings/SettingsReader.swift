import LinuxIO

/// Rereads the settings on its own thread, because that blocks on the disk.
actor SettingsReader {
    private let lane: Lane
    private let load: @Sendable () throws(SettingsError) -> Settings

    // The actor holds its lane.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }

    init(_ load: @escaping @Sendable () throws(SettingsError) -> Settings) throws {
        lane = try Lane(name: "settings")
        self.load = load
    }

    func read() throws(SettingsError) -> Settings { try load() }
}
