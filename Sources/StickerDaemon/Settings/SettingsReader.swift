import LinuxIO

/// Rereads the settings on its own thread, because that blocks on the disk.
actor SettingsReader {
    private let thread: SerialThread
    private let load: @Sendable () throws(SettingsError) -> Settings

    // The actor holds its thread.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    init(_ load: @escaping @Sendable () throws(SettingsError) -> Settings) throws {
        thread = try SerialThread(name: "settings")
        self.load = load
    }

    func read() throws(SettingsError) -> Settings { try load() }
}
