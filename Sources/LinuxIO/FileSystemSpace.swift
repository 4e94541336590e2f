import Glibc
package import SystemPackage

/// How much room a file system has.
package enum FileSystemSpace {
    /// Bytes that a user without privileges may still write where `path` is (statvfs(3)).
    package static func free(at path: FilePath) throws(Errno) -> Int {
        var answer = statvfs()
        _ = try Errno.retry {
            // Both pointers outlive the call.
            unsafe path.withPlatformString { unsafe statvfs($0, &answer) }
        }
        let (bytes, isTooMuch) = Int(answer.f_bavail).multipliedReportingOverflow(by: Int(answer.f_frsize))
        return isTooMuch ? .max : bytes
    }
}
