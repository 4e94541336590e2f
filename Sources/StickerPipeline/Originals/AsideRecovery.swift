import LinuxIO
import PhotoLibrary
import SystemPackage

/// Finds files in the inbox that were moved aside to be removed, and that the Library knows nothing of any more: after a
/// crash and the loss of the Library, or of the file's row. They get a name that the Inbox takes for a new photo.
enum AsideRecovery {
    struct Recovery {
        /// How many files have a name again.
        var recovered = 0
        /// How many files could not get one.
        var refused = 0
        /// The first of those.
        var refusal: (path: InboxPath, cause: Errno)?
    }

    /// Reads names only. Folders that cannot be opened or changed are passed over, symbolic links not followed.
    ///
    /// - Parameter isStopping: asked for each folder; ends it.
    static func run(in inbox: FilePath, isStopping: () -> Bool) throws(Errno) -> Recovery {
        let root = try OwnedDescriptor(opening: inbox, options: .directory)
        var recovery = Recovery()
        // Not one inside the other: folders may be nested deeper than there are descriptors.
        var rest: [[UInt8]] = [Array(".".utf8)]
        while let path = rest.popLast(), !isStopping() {
            guard let folder = try? OwnedDescriptor(opening: path, beneath: root.raw, options: .directory),
                let (asides, folders) = try? names(in: folder)
            else { continue }
            rest += folders.map { path + [UInt8(ascii: "/")] + $0 }
            for name in asides {
                let key = AtomicFile.asideKey(name) ?? ""
                do throws(Errno) {
                    try FileMove.putBack(name, in: folder.raw, as: Array("recovered-\(key)".utf8), in: folder.raw)
                    recovery.recovered += 1
                } catch {
                    // It stays for a start that may change the folder.
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
