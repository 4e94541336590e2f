import LinuxIO
import SystemPackage

/// Finds files in the inbox that were moved aside to be removed, and that the Library knows nothing of any more: after a
/// crash and the loss of the Library, or of the file's row. They get a name that the Inbox takes for a new photo.
enum AsideRecovery {
    /// Reads names only. Folders that cannot be opened or changed are passed over, symbolic links not followed.
    ///
    /// - Parameter isStopping: asked for each folder; ends it.
    /// - Returns: how many files have a name again.
    static func run(in inbox: FilePath, isStopping: () -> Bool) throws(Errno) -> Int {
        try recover(in: try OwnedDescriptor(opening: inbox, options: .directory), isStopping)
    }

    private static func recover(in folder: borrowing OwnedDescriptor, _ isStopping: () -> Bool) throws(Errno) -> Int {
        if isStopping() { return 0 }
        var asides: [[UInt8]] = []
        var folders: [[UInt8]] = []
        var scan = try DirectoryScan(of: folder.raw)
        while let entry = try scan.next() {
            if entry.kind == .folder { folders.append(entry.name) }
            if entry.kind == .regular, AtomicFile.asideKey(entry.name) != nil { asides.append(entry.name) }
        }
        var count = 0
        for name in asides {
            let key = AtomicFile.asideKey(name) ?? ""
            try FileMove.putBack(name, in: folder.raw, as: Array("recovered-\(key)".utf8), in: folder.raw)
            count += 1
        }
        for name in folders {
            guard let below = try? OwnedDescriptor(opening: name, in: folder.raw, options: .directory) else { continue }
            count += (try? recover(in: below, isStopping)) ?? 0
        }
        return count
    }
}
