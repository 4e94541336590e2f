import Glibc
import LinuxIO
import PhotoLibrary
import SystemPackage

extension Settings {
    /// The Library's name of a file given on the command line: by its path, relative to the working folder or absolute;
    /// by its path in the inbox; or as logs and `pack.json` write it.
    func inboxName(of argument: FilePath) -> String {
        let path = Self.workingFolder.pushing(argument).lexicallyNormalized()
        for inbox in [inbox.lexicallyNormalized(), resolvedInbox] where path.starts(with: inbox) {
            let inside = FilePath(root: nil, path.components.dropFirst(inbox.components.count))
            return InboxPath(bytes: inside.bytes).description
        }
        guard let text = String(validating: argument.bytes, as: UTF8.self), InboxPath(escaped: text) != nil else {
            return InboxPath(bytes: argument.bytes).description
        }
        return text
    }

    /// The working folder, as the bytes from getcwd(3); relative if it was removed.
    private static var workingFolder: FilePath {
        // Allocated by the call, and freed here.
        guard let path = unsafe getcwd(nil, 0) else { return "." }
        defer { unsafe free(path) }
        return unsafe FilePath(platformString: path)
    }
}
