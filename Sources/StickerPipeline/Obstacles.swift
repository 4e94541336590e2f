import PhotoLibrary
import Synchronization

/// What keeps work from going on just now, for whoever tells people how things stand.
package final class Obstacles: Sendable {
    private struct Entry {
        let key: ExactName
        let reason: String
    }

    /// The key of what keeps the Library from its disk: whoever needs it waits.
    package static let library = "library"
    /// The key of what keeps workers from being started.
    static let workers = "workers"

    /// In the order in which they came up.
    private let entries = Mutex<[Entry]>([])
    private let onChange: @Sendable () -> Void

    /// - Parameter onChange: called, from any thread, when there are other reasons than before.
    package init(onChange: @escaping @Sendable () -> Void = {}) {
        self.onChange = onChange
    }

    /// - Parameters:
    ///   - key: names the obstacle; one that is known keeps its place and gets the new reason.
    ///   - reason: one line for a person.
    package func set(_ reason: String, for key: String) {
        let isNews = entries.withLock { entries in
            let entry = Entry(key: ExactName(key), reason: reason)
            guard let place = entries.firstIndex(where: { $0.key == entry.key }) else {
                entries.append(entry)
                return true
            }
            defer { entries[place] = entry }
            return !entries[place].reason.isExactly(reason)
        }
        if isNews { onChange() }
    }

    package func has(_ key: String) -> Bool { entries.withLock { $0.contains { $0.key.text.isExactly(key) } } }

    package func clear(_ key: String) {
        let isNews = entries.withLock { entries in
            let count = entries.count
            entries.removeAll { $0.key.text.isExactly(key) }
            return entries.count < count
        }
        if isNews { onChange() }
    }

    /// The reasons, the oldest obstacle's first.
    package var reasons: [String] { entries.withLock { $0.map(\.reason) } }
}
