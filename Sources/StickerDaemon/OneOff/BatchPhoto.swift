import LinuxIO
import PhotoLibrary
package import SystemPackage

/// A photo that a command is to work on.
package enum BatchPhoto: Sendable, CustomStringConvertible {
    case file(FilePath)
    case standardInput

    /// The photo's path; a name for standard input.
    var path: FilePath {
        switch self {
        case .file(let path): path
        case .standardInput: "stdin"
        }
    }

    /// One harmless line.
    package var description: String { name.description }

    /// As the daemon would see it.
    var name: InboxPath { InboxPath(bytes: path.bytes) }

    /// The base name of files made of it: its name without the last ending, escaped only if it is not UTF-8.
    var stem: String {
        guard String(validating: path.bytes, as: UTF8.self) != nil else { return name.stem }
        return path.stem ?? "photo"
    }
}
