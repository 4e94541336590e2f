import CLinuxShims
import Glibc
import Synchronization
package import SystemPackage

/// Watches folders. Reads events only in `next`: the kernel's queue is the buffer. Also detects mounts and unmounts,
/// which need not cause an event: umount(8) of a bind mount ends no watch.
///
/// One thread at a time may call `next`; any may call `wake`.
package final class Inotify: Sendable {
    /// The most bytes per read: some thousand events.
    private static let bufferBytes = 64 * 1024
    private static let none: Int32 = -1

    /// Created by the first `watch`, because the kernel may refuse one for a while. Negative before; poll(2) ignores
    /// that.
    private let descriptor = Atomic(none)
    private let signal: WakeSignal
    /// Nil without /proc; mounts are not detected then.
    private let mounts: OwnedDescriptor?
    private let mountsChanged = Atomic(false)

    /// - Throws: if no descriptor is available. Only `watch` creates the inotify instance.
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

    /// Watches the direct contents of `folder`, which must be a folder, not a symbolic link. Watching a folder again
    /// returns the same watch, which then reports the events of the new mask.
    ///
    /// - Throws: `Errno.noSpace` if this user has no watches left (fs.inotify.max_user_watches),
    ///   `Errno.tooManyOpenFiles` if no instances (fs.inotify.max_user_instances).
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

    /// Ends a watch; the kernel confirms with a last `watchEnded`. Does nothing if the watch has ended.
    package func unwatch(_ watch: Int32) {
        _ = inotify_rm_watch(raw, watch)
    }

    /// Waits for events, and returns those of one read; none after `wake` or the timeout.
    ///
    /// - Parameter timeout: nil waits indefinitely.
    package func next(timeout: Duration?) throws(Errno) -> [InotifyEvent] {
        var watched = [
            pollfd(fd: raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signal.raw, events: Int16(POLLIN), revents: 0),
            // A change of mountinfo is reported once, as POLLPRI (proc_pid_mountinfo(5)).
            pollfd(fd: mountsDescriptor, events: Int16(POLLPRI), revents: 0),
        ]
        let milliseconds = timeout.map(\.pollMilliseconds) ?? -1
        // Three records. An interrupted poll counts as a wake-up.
        if unsafe poll(&watched, 3, milliseconds) < 0 {
            let cause = Errno(rawValue: errno)
            guard cause == .interrupted else { throw cause }
            return []
        }
        if watched[1].revents != 0 { signal.lower() }
        if watched[2].revents != 0 { mountsChanged.store(true, ordering: .relaxed) }
        return watched[0].revents == 0 ? [] : try read()
    }

    /// Makes the current `next`, or the following one, return at once. May be called from any thread.
    package func wake() {
        signal.raise()
    }

    /// Whether `next` detected a mount or unmount since the last `takeMountsChanged`.
    package var haveMountsChanged: Bool { mountsChanged.load(ordering: .relaxed) }

    /// Whether `next` detected a mount or unmount since the last call.
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
            // Not written beyond the buffer's end.
            let count = try Errno.retry { unsafe Glibc.read(raw, &buffer, buffer.count) }
            return InotifyEvent.parse(buffer.prefix(count))
        } catch .wouldBlock {
            return []
        }
    }
}

/// An eventfd(2) that any thread may raise to wake a poll(2).
package struct WakeSignal: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    /// - Throws: if no descriptor is available.
    package init() throws(Errno) {
        descriptor = OwnedDescriptor(owning: try Errno.retry { linux_eventfd() })
    }

    /// For poll(2): readable from `raise` to `lower`.
    package var raw: Int32 { descriptor.raw }

    package func raise() {
        var one: UInt64 = 1
        // eventfd(2) takes eight bytes. EAGAIN: the counter is full, so it is raised already.
        _ = unsafe write(raw, &one, MemoryLayout<UInt64>.size)
    }

    package func lower() {
        var count: UInt64 = 0
        // eventfd(2) returns eight bytes. EAGAIN: it was not raised.
        _ = unsafe read(raw, &count, MemoryLayout<UInt64>.size)
    }
}
