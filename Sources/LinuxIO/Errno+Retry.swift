import Glibc
package import SystemPackage

extension Errno {
    /// Calls `body` again while a signal interrupts it; -1 becomes the thread's current error.
    package static func retry<Value: SignedInteger>(_ body: () -> Value) throws(Errno) -> Value {
        while true {
            let value = body()
            if value != -1 { return value }
            let cause = Errno(rawValue: errno)
            if cause != .interrupted { throw cause }
        }
    }
}
