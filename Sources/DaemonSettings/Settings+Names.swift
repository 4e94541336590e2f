import FileNames
import Glibc
package import LibraryCommands
import LinuxIO
package import PhotoLibrary
package import SystemPackage

/// What names on the command line mean.
extension Settings {
    /// The absolute path of one given on the command line, relative to the working folder.
    package static func absolute(_ path: FilePath) -> FilePath { workingFolder.pushing(path).lexicallyNormalized() }

    /// Creates a folder and its missing parents; an existing folder is not an error.
    ///
    /// - Returns: whether it was made.
    @discardableResult
    package static func makeFolders(at path: FilePath) throws(Errno) -> Bool { try FolderTree.make(at: path) }

    /// The path in the Library of a file given on the command line: by its path, absolute or relative to the working
    /// folder; by its path in the inbox; or escaped as in logs and `pack.json`. Of a photo in the archive or in the
    /// folder of failed photos, the absolute path there.
    package func inboxName(of argument: FilePath) -> String {
        if let path = pathInInbox(argument) { return InboxPath(bytes: path.bytes).description }
        if let path = pathOfMoved(argument) { return InboxPath(bytes: path.bytes).description }
        let escaped = String(validating: argument.bytes, as: UTF8.self).flatMap { InboxPath(escaped: $0) }?.description
        // A raw name may look like an escaped one, and its control characters must not reach a terminal.
        guard let escaped, escaped.utf8.elementsEqual(argument.bytes) else {
            return InboxPath(bytes: argument.bytes).description
        }
        return escaped
    }

    /// What a name on the command line may mean. A path in the inbox is a photo's, even if a sticker has the same name.
    package func removalName(of argument: FilePath) -> Library.RemovalName {
        .init(
            sticker: (pathInOutbox(argument).flatMap { $0.isEmpty ? nil : $0 } ?? argument).string,
            photo: inboxName(of: argument), isPhoto: pathInInbox(argument) != nil || pathOfMoved(argument) != nil)
    }

    /// The pack's folder, relative to the outbox, of a sticker given by its path; nil if the path is not in the outbox.
    package func outboxFolder(of argument: FilePath) -> String? {
        pathInOutbox(Self.absolute(argument).removingLastComponent())?.string
    }

    private func pathInInbox(_ argument: FilePath) -> FilePath? {
        Self.path(of: argument, in: [inbox.lexicallyNormalized(), resolvedInbox]).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// As the Library records it: through the folder in the settings, with its links.
    private func pathOfMoved(_ argument: FilePath) -> FilePath? {
        for folder in [archive, failed] {
            guard let path = Self.path(of: argument, in: [folder.lexicallyNormalized(), folder.target]), !path.isEmpty
            else { continue }
            return folder.pushing(path)
        }
        return nil
    }

    private func pathInOutbox(_ argument: FilePath) -> FilePath? {
        Self.path(of: argument, in: [outbox.lexicallyNormalized(), resolvedOutbox])
    }

    /// The path relative to the first of these folders that it is in, also through links; nil if it is in none.
    private static func path(of argument: FilePath, in folders: [FilePath]) -> FilePath? {
        let path = absolute(argument)
        let resolved = path.removingLastComponent().resolved.flatMap { folder in
            path.lastComponent.map { folder.appending($0) }
        }
        for path in [path, resolved].compactMap(\.self) {
            guard let folder = folders.first(where: { path.starts(with: $0) }) else { continue }
            return FilePath(root: nil, path.components.dropFirst(folder.components.count))
        }
        return nil
    }

    /// The working folder, as the bytes from getcwd(3); relative if it was removed.
    static var workingFolder: FilePath {
        // Allocated by the call, and freed here.
        guard let path = unsafe getcwd(nil, 0) else { return "." }
        defer { unsafe free(path) }
        return unsafe FilePath(platformString: path)
    }
}
