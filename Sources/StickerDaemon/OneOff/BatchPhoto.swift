import LinuxIO
import PhotoLibrary
package import SystemPackage

/// A photo given to a command.
package enum BatchPhoto: Sendable, CustomStringConvertible {
    case file(FilePath)
    case standardInput

    /// The photo's path; a made-up name for standard input.
    var path: FilePath {
        switch self {
        case .file(let path): path
        case .standardInput: "stdin"
        }
    }

    /// Escaped, on one line.
    package var description: String { name.description }

    /// The name as the daemon would log it.
    var name: InboxPath { InboxPath(bytes: path.bytes) }

    /// The base name of its output files: its name without the extension, escaped only if it is not UTF-8.
    var stem: String {
        guard String(validating: path.bytes, as: UTF8.self) != nil else { return name.stem }
        return path.stem ?? "photo"
    }
}
