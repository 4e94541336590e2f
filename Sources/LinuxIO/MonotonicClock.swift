package import SystemPackage

/// The time of everything that sleeps, backs off, settles or polls. Tests replace it by one that they advance.
package protocol MonotonicClock: Clock where Instant == ContinuousClock.Instant {
    /// Waits for events until `deadline`, like `Inotify.next(timeout:)`.
    func next(of inotify: Inotify, until deadline: Instant) throws(Errno) -> [InotifyEvent]
}

extension ContinuousClock: MonotonicClock {
    package func next(of inotify: Inotify, until deadline: Instant) throws(Errno) -> [InotifyEvent] {
        try inotify.next(timeout: deadline - now)
    }
}
