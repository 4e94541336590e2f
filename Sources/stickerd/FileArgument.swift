import ArgumentParser
import LinuxIO
import PhotoLibrary
import StickerDaemon
import SystemPackage

/// A file or folder named on the command line, by its bytes.
struct FileArgument: ExpressibleByArgument, CustomStringConvertible {
    let path: FilePath
    /// Named by `-`; a file of that name is `./-`.
    let isStandardStream: Bool

    init(argument: String) {
        path = FilePath(bytes: RawArguments.bytes(of: argument))
        isStandardStream = argument == "-"
    }

    /// Fit for a terminal, on one line.
    var description: String { InboxPath(bytes: path.bytes).description }
}
