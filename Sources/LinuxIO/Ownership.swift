import Glibc
package import SystemPackage

/// Whom a file belongs to, for errors of permission: a daemon started once as root leaves files that the service's user
/// cannot open.
package enum Ownership {
    /// Names the owner of `file`, and the command that gives all of the owner's files in `folder` to this process's
    /// user, or to `user`; if a symbolic link leads out of the folder, those where it leads to.
    ///
    /// - Returns: one line for a person; nil if `file` belongs to that user or cannot be examined.
    package static func fix(for file: FilePath, in folder: FilePath, _ user: UInt32 = geteuid()) -> String? {
        guard let place = file.resolved, let status = try? place.stat(), status.userID.rawValue != user else {
            return nil
        }
        // chown does not follow links.
        let top = folder.resolved.flatMap { place.starts(with: $0) ? $0 : nil } ?? place
        let (owner, user) = (name(of: status.userID.rawValue), name(of: user))
        return "\(file) belongs to \(owner), and stickerd runs as \(user); "
            + "run: sudo chown -R --from=\(owner) \(user): \(shellWord(top.string))"
    }

    /// The user's name, or its number if it has none.
    package static func name(of user: UInt32) -> String {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        // getpwuid_r(3) puts the strings of `entry` here; users with longer entries are reported by number.
        var buffer = [CChar](repeating: 0, count: 4096)
        // All arguments outlive the call, and the name is copied before the buffer ends.
        let error = unsafe getpwuid_r(user, &entry, &buffer, buffer.count, &found)
        guard error == 0, let name = unsafe found?.pointee.pw_name else { return "\(user)" }
        return unsafe String(cString: name)
    }

    /// `text` as one word of a command line.
    package static func shellWord(_ text: String) -> String {
        // Scalars, because a quote with a combining mark is another character, but ends the word.
        let quoted = text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined()
        return text.utf8.allSatisfy(plain.contains) ? text : "'\(quoted)'"
    }

    /// What means itself in a command line.
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/.-_".utf8)
}
