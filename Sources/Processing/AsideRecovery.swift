import FileNames
import LinuxIO
import SystemPackage

/// Finds files in the inbox that a crash left moved aside for removal and that the Library no longer has. Renames them
/// so that they are taken as new photos.
enum AsideRecovery {
    struct Recovery {
        /// How many files were renamed.
        var recovered = 0
        /// How many files could not be renamed.
        var refused = 0
        /// The first such file, with the reason.
        var refusal: (path: InboxPath, cause: Errno)?
    }

    /// Skips folders that cannot be opened or changed; does not follow symbolic links.
    ///
    /// - Parameters:
    ///   - isIgnored: whether a folder of this name is skipped: a snapshot may have a thousand times as many files as
    ///     the inbox, and names from the moment when it was taken.
    ///   - isStopping: checked for each folder; if true, the search ends.
    static func run(
        in inbox: FilePath, isIgnored: ([UInt8]) -> Bool, isStopping: () -> Bool
    ) throws(Errno) -> Recovery {
        let root = try OwnedDescriptor(opening: inbox, options: .directory)
        var recovery = Recovery()
        // Not recursive: folders may be nested deeper than the descriptor limit.
        var rest: [[UInt8]] = [Array(".".utf8)]
        while let path = rest.popLast(), !isStopping() {
            guard let folder = try? OwnedDescriptor(opening: path, beneath: root.raw, options: .directory),
                let (asides, folders) = try? names(in: folder)
            else { continue }
            rest += folders.filter { !isIgnored($0) }.map { path + [UInt8(ascii: "/")] + $0 }
            for name in asides {
                let key = AtomicFile.asideKey(name) ?? ""
                do throws(Errno) {
                    try FileMove.putBack(name, in: folder.raw, as: Array("recovered-\(key)".utf8), in: folder.raw)
                    recovery.recovered += 1
                } catch {
                    // Keep it aside: a later start may have permission to rename it.
                    recovery.refused += 1
                    let file = InboxPath(bytes: Array((path + [UInt8(ascii: "/")] + name).dropFirst(2)))
                    recovery.refusal = recovery.refusal ?? (file, error)
                }
            }
        }
        return recovery
    }

    private static func names(
        in folder: borrowing OwnedDescriptor
    ) throws(Errno) -> (asides: [[UInt8]], folders: [[UInt8]]) {
        var asides: [[UInt8]] = []
        var folders: [[UInt8]] = []
        var scan = try DirectoryScan(of: folder.raw)
        while let entry = try scan.next() {
            if entry.kind == .folder { folders.append(entry.name) }
            if entry.kind == .regular, AtomicFile.asideKey(entry.name) != nil { asides.append(entry.name) }
        }
        return (asides, folders)
    }
}
