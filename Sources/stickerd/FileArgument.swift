import ArgumentParser
import LinuxIO
import PhotoLibrary
import StickerDaemon
import SystemPackage

/// A file or folder on the command line, as bytes.
struct FileArgument: ExpressibleByArgument, CustomStringConvertible {
    let path: FilePath
    /// Whether it is `-`; a file of that name is `./-`.
    let isStandardStream: Bool

    init(argument: String) {
        path = FilePath(bytes: RawArguments.bytes(of: argument))
        isStandardStream = argument == "-"
    }

    /// Escaped for a terminal, on one line.
    var description: String { InboxPath(bytes: path.bytes).description }
}
