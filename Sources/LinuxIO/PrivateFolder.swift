import Glibc
package import SystemPackage

/// Folders for photos moved out of the inbox: readable by the group, closed to others, as is everything in them.
package enum PrivateFolder {
    /// rwxr-s---.
    package static let mode = FilePermissions(rawValue: 0o2750)
    /// The mode for mkdir(2), which ignores the set-group-ID bit; a new folder inherits that bit from its parent.
    package static let withoutGroupBit = FilePermissions(rawValue: 0o750)
    /// The widest permissions of a file in such a folder.
    package static let fileMode = FilePermissions(rawValue: 0o640)

    /// Sets an open folder's permissions to `mode`; without the set-group-ID bit if the service may not set that
    /// (systemd.exec(5), RestrictSUIDSGID). Skips another user's folder.
    package static func restrict(_ folder: Int32) throws(Errno) {
        let current = try permissions(of: folder)
        if current == mode.rawValue { return }
        do throws(Errno) {
            return try change(folder, to: mode.rawValue)
        } catch .notPermitted {
            // Either the bit or the owner is the reason; the second try shows which.
        }
        guard current & 0o777 != withoutGroupBit.rawValue else { return }
        do throws(Errno) { try change(folder, to: withoutGroupBit.rawValue) } catch .notPermitted { return }
    }

    /// Takes all permissions of other users from an open folder. Skips another user's folder.
    package static func closeToOthers(_ folder: borrowing OwnedDescriptor) throws(Errno) {
        let current = try permissions(of: folder.raw)
        guard current & 0o077 != 0 else { return }
        do throws(Errno) { try change(folder.raw, to: current & 0o7700) } catch .notPermitted { return }
    }

    /// Removes permissions beyond `fileMode` from a regular file. Skips another user's file, which the folder protects.
    package static func restrictFile(_ name: [UInt8], in folder: Int32) throws(Errno) {
        let file: OwnedDescriptor
        do throws(Errno) {
            file = try OwnedDescriptor(opening: name, in: folder, options: .nonBlocking)
        } catch .permissionDenied {
            return
        }
        try restrictFile(file.raw)
    }

    /// The same for an open file.
    static func restrictFile(_ file: Int32) throws(Errno) {
        let current = try permissions(of: file)
        guard try FileStatus(ofDescriptor: file).kind == .regular, current & ~fileMode.rawValue != 0 else { return }
        do throws(Errno) { try change(file, to: current & fileMode.rawValue) } catch .notPermitted { return }
    }

    private static func permissions(of descriptor: Int32) throws(Errno) -> mode_t {
        try Stat(FileDescriptor(rawValue: descriptor)).permissions.rawValue
    }

    private static func change(_ descriptor: Int32, to mode: mode_t) throws(Errno) {
        _ = try Errno.retry { fchmod(descriptor, mode) }
    }
}
