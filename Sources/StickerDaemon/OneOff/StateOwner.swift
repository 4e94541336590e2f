import Glibc
import PhotoLibrary
import SystemPackage

/// Makes commands that write do so as the user that the state folder belongs to: a folder, sticker or Library that
/// belongs to root could not be written by the daemon.
package enum StateOwner {
    /// This process may not become that user.
    package struct Refused: Error, CustomStringConvertible {
        /// One line for a person.
        package let description: String
    }

    /// From here on this process is the owner of the state folder, for good, if it is root's now and the folder is not.
    /// To be called before anything is opened for writing.
    package static func become(for settings: Settings) throws(Refused) {
        var status = stat()
        // Both arguments are alive for the call. What is not there belongs to nobody yet.
        guard geteuid() == 0, unsafe stat(settings.state.string, &status) == 0, status.st_uid != 0 else { return }
        let (user, folderGroup) = (status.st_uid, status.st_gid)
        do throws(Errno) {
            try becomeUser(user, folderGroup: folderGroup)
        } catch {
            throw Refused(
                description: "\(settings.state): belongs to the user \(user), and root may not become that user here "
                    + "(\(error)); run this command as that user")
        }
    }

    private static func becomeUser(_ user: uid_t, folderGroup: gid_t) throws(Errno) {
        // Its memory stays as it is until the next look-up, and there is none.
        if let entry = unsafe getpwuid(user) {
            let group = unsafe entry.pointee.pw_gid
            try Errno.require(unsafe initgroups(entry.pointee.pw_name, group))
            try Errno.require(setgid(group))
        } else {
            var groups = [folderGroup]
            // One group, read by the call.
            try Errno.require(unsafe setgroups(1, &groups))
            try Errno.require(setgid(folderGroup))
        }
        // Last: without root's rights the others would be refused.
        try Errno.require(setuid(user))
    }
}

extension Errno {
    fileprivate static func require(_ answer: Int32) throws(Errno) {
        if answer != 0 { throw Errno(rawValue: errno) }
    }
}
