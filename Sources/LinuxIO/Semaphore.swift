import Glibc

/// A counting semaphore of one process, for threads that have nothing else to wait for.
@safe final class Semaphore: Sendable {
    // nonisolated(unsafe), since a pointer is not Sendable: this one never changes, a sem_t must keep its address, and
    // sem_post and sem_wait may be called from every thread (sem_overview(7), attributes(7): MT-Safe).
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        // A count of 0 in one process cannot fail (sem_init(3)).
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        // Nobody waits: waiting needs a reference.
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func signal() {
        // Alive as long as self.
        unsafe sem_post(semaphore)
    }

    func wait() {
        // Alive as long as self; interrupted by signals only.
        while unsafe sem_wait(semaphore) != 0 {}
    }
}
