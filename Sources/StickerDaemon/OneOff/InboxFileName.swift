import Foundation
import LinuxIO
import PhotoLibrary
import SystemPackage

extension Settings {
    /// What the Library calls a file that is named on the command line: by its path, from wherever it is seen; by its
    /// path in the inbox; or as logs and `pack.json` write that.
    func inboxName(of argument: String) -> String {
        let here = FilePath(FileManager.default.currentDirectoryPath)
        let path = here.pushing(FilePath(argument)).lexicallyNormalized()
        for inbox in [inbox.lexicallyNormalized(), resolvedInbox] where path.starts(with: inbox) {
            let inside = FilePath(root: nil, path.components.dropFirst(inbox.components.count))
            return InboxPath(bytes: inside.bytes).description
        }
        guard InboxPath(escaped: argument) != nil else { return InboxPath(bytes: Array(argument.utf8)).description }
        return argument
    }
}
