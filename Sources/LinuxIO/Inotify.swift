import CLinuxShims
import Glibc
package import SystemPackage

/// Watches folders and reads what happened only when asked: the kernel's queue is the buffer.
///
/// One thread asks at a time; `wake` is for everybody.
package final class Inotify: Sendable {
    /// As much as one read brings: some thousand events.
    private static let bufferBytes = 64 * 1024

    private let descriptor: OwnedDescriptor
    private let signal: WakeSignal

    package init() throws(Errno) {
        // EMFILE where this user has too many instances (fs.inotify.max_user_instances).
        descriptor = OwnedDescriptor(
            owning: try Errno.retry { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) })
        signal = try WakeSignal()
    }

    /// Watches what happens directly in `folder`, which must be a folder and no link. A folder watched twice keeps its
    /// watch and its number.
    ///
    /// - Throws: `Errno.noSpace` where this user's watches are used up (fs.inotify.max_user_watches).
    package func watch(_ folder: FilePath, for mask: InotifyEvent.Mask) throws(Errno) -> Int32 {
        let mask = mask.rawValue | UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW) | UInt32(IN_EXCL_UNLINK)
        return try Errno.retry {
            // The platform string outlives the call.
            unsafe folder.withPlatformString { unsafe inotify_add_watch(descriptor.raw, $0, mask) }
        }
    }

    /// Ends a watch; the kernel confirms by one last `watchEnded`. Nothing happens where it ended before.
    package func unwatch(_ watch: Int32) {
        _ = inotify_rm_watch(descriptor.raw, watch)
    }

    /// Waits for events and returns those that one read brings; none when woken or when `timeout` is over.
    ///
    /// - Parameter timeout: nil waits for ever.
    package func next(timeout: Duration?) throws(Errno) -> [InotifyEvent] {
        var watched = [
            pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signal.raw, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = timeout.map(\.pollMilliseconds) ?? -1
        // Two records; an interrupted poll is as good as a wake.
        if unsafe poll(&watched, 2, milliseconds) < 0 {
            let cause = Errno(rawValue: errno)
            guard cause == .interrupted else { throw cause }
            return []
        }
        if watched[1].revents != 0 { signal.lower() }
        return watched[0].revents == 0 ? [] : try read()
    }

    /// Makes a waiting `next`, or the following one, return at once. From any thread.
    package func wake() {
        signal.raise()
    }

    private func read() throws(Errno) -> [InotifyEvent] {
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        do {
            // The buffer is as long as it says.
            let count = try Errno.retry { unsafe Glibc.read(descriptor.raw, &buffer, buffer.count) }
            return InotifyEvent.parse(buffer.prefix(count))
        } catch .wouldBlock {
            return []
        }
    }
}
