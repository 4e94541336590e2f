import Glibc
import LinuxIO
import SystemPackage
import TestSupport

/// What a test can do to names beyond writing files. The strings outlive every call.
extension TemporaryFolder {
    func link(_ name: String, to target: String) throws {
        _ = try Errno.retry { unsafe symlink(target, self[name].string) }
    }

    func makeFIFO(_ name: String) throws {
        _ = try Errno.retry { unsafe mkfifo(self[name].string, 0o600) }
    }

    func makeFolder(_ name: String) throws {
        _ = try Errno.retry { unsafe mkdir(self[name].string, 0o700) }
    }

    func removeFolder(_ name: String) throws {
        _ = try Errno.retry { unsafe rmdir(self[name].string) }
    }

    func move(_ name: String, to other: String) throws {
        _ = try Errno.retry { unsafe rename(self[name].string, self[other].string) }
    }
}
