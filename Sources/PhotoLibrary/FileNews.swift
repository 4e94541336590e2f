package import FileNames
package import PhotoRule
import Synchronization
package import SystemPackage

/// Something that happened to a file of the inbox without a photo being processed, for one line of the log.
package struct FileNews: Sendable {
    package enum Change: Sendable {
        /// It left the inbox, but not by stickerd. Its sticker stays or is withdrawn; nil if it has none.
        case removed(sticker: WhenPhotoRemoved?)
        /// The settings ignore it now. Its sticker stays or is withdrawn; nil if it has none.
        case excluded(sticker: WhenPhotoRemoved?)
        /// It has other contents or times than before, and is processed again.
        case replaced
        /// It is no regular file; the reason is one line for a person.
        case ignored(reason: String)
        /// stickerd moved it out of the inbox under another name, because that name was taken.
        case renamed(to: FilePath)
    }

    package let path: InboxPath
    package let change: Change
}

/// Keeps news until they are logged: a limited number, and how many more there were.
package final class FileNewsList: Sendable {
    private struct State {
        var news: [FileNews] = []
        var unlisted = 0
        var listener: @Sendable () -> Void = {}
    }

    /// Between two calls of `take`.
    package static let maxListed = 20

    private let state = Mutex(State())

    /// Calls `listener` after each addition, on any thread.
    package func listen(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listener = listener }
    }

    /// Returns the news since the last call, and how many more there were.
    package func take() -> (news: [FileNews], unlisted: Int) {
        state.withLock { state in
            defer { (state.news, state.unlisted) = ([], 0) }
            return (state.news, state.unlisted)
        }
    }

    func add(_ news: [FileNews]) {
        guard !news.isEmpty else { return }
        let listener = state.withLock { state in
            let listed = news.prefix(Self.maxListed - state.news.count)
            state.news += listed
            state.unlisted += news.count - listed.count
            return state.listener
        }
        listener()
    }
}
