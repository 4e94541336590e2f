import Synchronization

/// What keeps work from going on just now, for whoever tells people how things stand.
package final class Obstacles: Sendable {
    private struct Entry {
        let key: String
        let reason: String
    }

    /// In the order in which they came up.
    private let entries = Mutex<[Entry]>([])

    package init() {}

    /// - Parameters:
    ///   - key: names the obstacle; one that is known keeps its place and gets the new reason.
    ///   - reason: one line for a person.
    package func set(_ reason: String, for key: String) {
        entries.withLock { entries in
            let entry = Entry(key: key, reason: reason)
            if let place = entries.firstIndex(where: { $0.key == key }) {
                entries[place] = entry
            } else {
                entries.append(entry)
            }
        }
    }

    package func has(_ key: String) -> Bool { entries.withLock { $0.contains { $0.key == key } } }

    package func clear(_ key: String) {
        entries.withLock { $0.removeAll { $0.key == key } }
    }

    /// The reasons, the oldest obstacle's first.
    package var reasons: [String] { entries.withLock { $0.map(\.reason) } }
}
