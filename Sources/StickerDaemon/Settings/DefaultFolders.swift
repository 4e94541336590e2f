import SystemPackage

/// Where things are when nobody says otherwise: systemd's directories (systemd.exec(5)), else those of the XDG Base
/// Directory Specification, else those of the service.
struct DefaultFolders {
    /// What `~/` stands for; nil where nobody says.
    let home: FilePath?
    let inbox: FilePath
    let outbox: FilePath
    let state: FilePath
    /// Read when it is there.
    let configFile: FilePath

    init(environment: [String: String]) {
        // XDG has relative paths ignored; systemd joins several directories with colons, and gives absolute ones only.
        func absolute(_ path: (some StringProtocol)?) -> FilePath? {
            path.map { FilePath(String($0)) }.flatMap { $0.isAbsolute ? $0 : nil }
        }
        let home = absolute(environment["HOME"])
        self.home = home
        func systemd(_ name: String) -> FilePath? { absolute(environment[name]?.split(separator: ":").first) }
        func xdg(_ name: String, _ inHome: String) -> FilePath? {
            (absolute(environment[name]) ?? home?.appending(inHome))?.appending("stickerd")
        }
        let service: FilePath = "/var/lib/stickerd"
        if let folder = systemd("STATE_DIRECTORY") {
            (inbox, outbox, state) = (folder.appending("inbox"), folder.appending("outbox"), folder)
        } else {
            let data = xdg("XDG_DATA_HOME", ".local/share") ?? service
            inbox = data.appending("inbox")
            outbox = data.appending("outbox")
            state = xdg("XDG_STATE_HOME", ".local/state") ?? service
        }
        let configuration = systemd("CONFIGURATION_DIRECTORY") ?? xdg("XDG_CONFIG_HOME", ".config") ?? "/etc/stickerd"
        configFile = configuration.appending("config.json")
    }
}
