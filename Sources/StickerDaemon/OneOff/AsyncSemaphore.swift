/// A semaphore for tasks: admits a limited number at a time; the others wait in order.
actor AsyncSemaphore {
    private var places: Int
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(places: Int) {
        self.places = places
    }

    func enter() async {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiters.append($0) }
        }
    }

    func leave() {
        if waiters.isEmpty { places += 1 } else { waiters.removeFirst().resume() }
    }
}
