package import SystemPackage

/// Default folders: systemd's directories (systemd.exec(5)), or else those of the XDG Base Directory Specification, or
/// else the service's.
package struct DefaultFolders {
    /// The folder for `~/`; nil if `HOME` is not set.
    let home: FilePath?
    let inbox: FilePath
    let outbox: FilePath
    package let state: FilePath
    /// Read if it exists.
    let configFile: FilePath

    /// What `init` reads.
    static let variables: Set = [
        "HOME", "STATE_DIRECTORY", "CONFIGURATION_DIRECTORY", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
    ]

    package init(environment: [String: String]) {
        // XDG requires relative paths to be ignored; systemd joins several directories with colons, all absolute.
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
