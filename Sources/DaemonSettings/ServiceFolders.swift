import LinuxIO
package import SystemPackage

/// What systemd's protection of a service does to folders, and the lines for the unit that allow them
/// (systemd.exec(5)).
package enum ServiceFolders {
    /// What `ProtectHome=tmpfs` covers with empty file systems.
    package static let homes: [FilePath] = ["/home", "/root", "/run/user"]

    /// The empty file system that systemd shows instead of the folders of users, if it hides this one; otherwise nil.
    static func hiding(_ folder: FilePath, homes: [FilePath] = homes) -> FilePath? {
        guard let home = homes.first(where: { folder.starts(with: $0) }) else { return nil }
        var nearest = folder
        while nearest != home, !OwnedDescriptor.exists(nearest) { nearest.removeLastComponent() }
        // A folder that the unit binds there is on another file system.
        guard let status = try? DirectoryIdentity(of: nearest), let top = try? DirectoryIdentity(of: home),
            status.device == top.device, (try? FileSystemKind(of: home)) == .temporary
        else { return nil }
        return home
    }

    /// What to do, in one sentence: give the `setting` of the unit this value.
    package static func cure(_ setting: String, _ folder: FilePath) -> String {
        guard let word = word(folder.string) else {
            return "use a folder whose path has no control characters, which a unit cannot have in paths"
        }
        return "create it if it is missing, run \"systemctl edit stickerd\", and add under [Service]: "
            + "\(setting)=\(word)"
    }

    /// A path as one word of a unit's list (systemd.syntax(7)), in which "%" begins a specifier; nil if there is none:
    /// such a list has no escapes for control characters.
    static func word(_ path: String) -> String? {
        guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        // What is one word for the shell is one for systemd, too.
        guard Ownership.shellWord(path) != path else { return path }
        let escaped = path.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case "%": "%%"
            default: "\(scalar)"
            }
        }
        return "\"\(escaped.joined())\""
    }
}
