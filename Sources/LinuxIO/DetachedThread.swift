import CLinuxShims
import Glibc
import SystemPackage

/// A thread that nobody waits for.
enum DetachedThread {
    /// Runs `body` on a thread of its own.
    ///
    /// - Parameter name: for ps and gdb; 15 bytes are kept.
    static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
        let life = Life(name: name, body: body)
        var thread = pthread_t()
        // The thread's function takes over the reference.
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Life>.fromOpaque(argument).takeRetainedValue().live()
                }
                return nil
            }, Unmanaged.passRetained(life).toOpaque())
        guard code == 0 else {
            // No thread came to take it over.
            unsafe Unmanaged.passUnretained(life).release()
            throw Errno(rawValue: code)
        }
        pthread_detach(thread)
    }

    private final class Life: Sendable {
        private let name: String
        private let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func live() {
            // The kernel copies the name.
            _ = unsafe linux_set_thread_name(name)
            body()
        }
    }
}
