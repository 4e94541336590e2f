package import DaemonSettings
import Inbox
import LinuxIO
package import SystemPackage

/// Finds the files to process in folders on the command line.
package enum PhotoSearch {
    /// More files than this are refused: a folder such as `/` was not meant.
    package static let maxFiles = 1_000_000

    /// Replaces each folder by the regular files in it and below, by name, without those that the settings ignore.
    /// Symbolic links are not followed.
    ///
    /// - Parameters:
    ///   - paths: of files and folders.
    ///   - settings: for the patterns to ignore.
    ///   - output: the folder to write to; it is skipped.
    /// - Throws: `CommandFailure` if a folder is the output folder, whose stickers would be taken for photos.
    package static func photos(
        in paths: [BatchPhoto], settings: Settings, output: FilePath?
    ) throws(CommandFailure) -> [BatchPhoto] {
        var search = Search(rules: settings.inboxRules, output: output.flatMap { try? DirectoryIdentity(of: $0) })
        for photo in paths {
            guard case .file(let path) = photo, FolderTree.isFolder(path) else {
                search.found.append(photo)
                continue
            }
            if let output = search.output, (try? DirectoryIdentity(of: path)) == output {
                throw CommandFailure(
                    "\(photo): contains the photos and is the folder to write to; give another with --output")
            }
            try search.add(path)
        }
        return search.found
    }

    private struct Search {
        let rules: InboxRules
        let output: DirectoryIdentity?
        var found: [BatchPhoto] = []

        mutating func add(_ folder: FilePath) throws(CommandFailure) {
            if let output, (try? DirectoryIdentity(of: folder)) == output { return }
            guard let entries = try? Self.entries(of: folder) else {
                // Fails with the reason, like a photo that cannot be read.
                return found.append(.file(folder))
            }
            for entry in entries where rules.reasonToIgnore(entry.name) == nil {
                let path = folder.appending(bytes: entry.name)
                switch entry.kind {
                case .folder: try add(path)
                case .regular: found.append(.found(path))
                default: break
                }
            }
            guard found.count <= PhotoSearch.maxFiles else {
                throw CommandFailure("more than \(PhotoSearch.maxFiles) files")
            }
        }

        /// In the order of their bytes.
        private static func entries(of folder: FilePath) throws(Errno) -> [DirectoryScan.Entry] {
            let descriptor = try OwnedDescriptor(opening: folder, options: .directory)
            return try DirectoryScan.entries(of: descriptor.raw).sorted { $0.name.lexicographicallyPrecedes($1.name) }
        }
    }
}
