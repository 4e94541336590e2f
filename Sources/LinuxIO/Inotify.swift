import CLinuxShims
import Glibc
import Synchronization
package import SystemPackage

/// Watches folders and reads what happened only when asked: the kernel's queue is the buffer. Also notices when
/// something is mounted or unmounted, of which a watch need not hear: umount(8) of a bind mount ends none.
///
/// One thread asks at a time; `wake` is for everybody.
package final class Inotify: Sendable {
    /// As much as one read brings: some thousand events.
    private static let bufferBytes = 64 * 1024
    private static let none: Int32 = -1

    /// Made by the first `watch`: the kernel may refuse one for a while. poll(2) passes over a negative one.
    private let descriptor = Atomic(none)
    private let signal: WakeSignal
    /// Where there is no /proc, nobody tells of mounts.
    private let mounts: OwnedDescriptor?
    private let mountsChanged = Atomic(false)

    /// - Throws: where there is no descriptor to spare. The kernel is asked for watches by `watch` alone.
    package init() throws(Errno) {
        signal = try WakeSignal()
        do throws(Errno) {
            mounts = try OwnedDescriptor(opening: "/proc/self/mountinfo")
        } catch {
            mounts = nil
        }
    }

    deinit {
        if raw >= 0 { close(raw) }
    }

    private var raw: Int32 { descriptor.load(ordering: .relaxed) }

    /// Watches what happens directly in `folder`, which must be a folder and no link. A folder watched twice keeps its
    /// watch and its number.
    ///
    /// - Throws: `Errno.noSpace` where this user's watches are used up (fs.inotify.max_user_watches),
    ///   `Errno.tooManyOpenFiles` where the instances are (fs.inotify.max_user_instances).
    package func watch(_ folder: FilePath, for mask: InotifyEvent.Mask) throws(Errno) -> Int32 {
        if raw < 0 {
            let new = try Errno.retry { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }
            descriptor.store(new, ordering: .relaxed)
        }
        let mask = mask.rawValue | UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW) | UInt32(IN_EXCL_UNLINK)
        return try Errno.retry {
            // The platform string outlives the call.
            unsafe folder.withPlatformString { unsafe inotify_add_watch(raw, $0, mask) }
        }
    }

    /// Ends a watch; the kernel confirms by one last `watchEnded`. Nothing happens where it ended before.
    package func unwatch(_ watch: Int32) {
        _ = inotify_rm_watch(raw, watch)
    }

    /// Waits for events and returns those that one read brings; none when woken or when `timeout` is over.
    ///
    /// - Parameter timeout: nil waits for ever.
    package func next(timeout: Duration?) throws(Errno) -> [InotifyEvent] {
        var watched = [
            pollfd(fd: raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signal.raw, events: Int16(POLLIN), revents: 0),
            // proc_pid_mountinfo(5): a change shows as an exceptional condition, once.
            pollfd(fd: mountsDescriptor, events: Int16(POLLPRI), revents: 0),
        ]
        let milliseconds = timeout.map(\.pollMilliseconds) ?? -1
        // Three records; an interrupted poll is as good as a wake.
        if unsafe poll(&watched, 3, milliseconds) < 0 {
            let cause = Errno(rawValue: errno)
            guard cause == .interrupted else { throw cause }
            return []
        }
        if watched[1].revents != 0 { signal.lower() }
        if watched[2].revents != 0 { mountsChanged.store(true, ordering: .relaxed) }
        return watched[0].revents == 0 ? [] : try read()
    }

    /// Makes a waiting `next`, or the following one, return at once. From any thread.
    package func wake() {
        signal.raise()
    }

    /// Whether `next` heard, since the last call of this, that something was mounted or unmounted somewhere.
    package func takeMountsChanged() -> Bool { mountsChanged.exchange(false, ordering: .relaxed) }

    private var mountsDescriptor: Int32 {
        switch mounts {
        case .some(let mounts): mounts.raw
        case nil: Self.none
        }
    }

    private func read() throws(Errno) -> [InotifyEvent] {
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        do {
            // The buffer is as long as it says.
            let count = try Errno.retry { unsafe Glibc.read(raw, &buffer, buffer.count) }
            return InotifyEvent.parse(buffer.prefix(count))
        } catch .wouldBlock {
            return []
        }
    }
}
