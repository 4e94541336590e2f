package import SystemPackage

/// The source of a value.
package enum SettingsSource: Sendable, Equatable {
    /// A command-line flag, dashes included.
    case flag(String)
    /// An environment variable's name.
    case environment(String)
    /// The configuration file; `line` counts from 1.
    case file(FilePath, line: Int? = nil)
    /// The default.
    case builtIn
}

extension SettingsSource: CustomStringConvertible {
    package var description: String {
        switch self {
        case .flag(let name), .environment(let name): name
        case .file(let path, line: let line?): "\(path):\(line)"
        case .file(let path, line: nil): path.string
        case .builtIn: "default settings"
        }
    }
}
