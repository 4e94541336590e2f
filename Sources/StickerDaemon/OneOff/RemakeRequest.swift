import PhotoLibrary
import StickerPipeline

/// Returns photos whose stickers are to be remade to the queue.
package enum RemakeRequest {
    /// The result of a request.
    package struct Outcome: Sendable {
        /// Files that are pending now.
        package let files: Int
        /// How many photos cannot be remade, and why; one line for each reason.
        package let unavailable: [String]
        /// Whether a running daemon was signaled; it also reloads its settings.
        package let isUnderWay: Bool
        /// A daemon is running that this user may not signal.
        package let needsReload: Bool
    }

    /// Marks the stickers that were not made with the recipe of `settings`, or all, and wakes a running daemon.
    ///
    /// - Throws: `LibraryError` if there is no writable Library.
    package static func send(all: Bool, settings: Settings) throws -> Outcome {
        let recipe = all ? nil : try settings.recipe(settings.openModel()).identifier
        let remake = try PhotoLibrary.requestRemake(in: settings.state, otherThan: recipe, inbox: settings.inbox)
        let (isSignaled, isRefused) = DaemonWaking.wake(remake.daemon)
        return Outcome(
            files: remake.files, unavailable: lines(remake.unavailable), isUnderWay: isSignaled, needsReload: isRefused)
    }

    private static func lines(_ unavailable: [PhotoLibrary.Remake.Unavailable: Int]) -> [String] {
        unavailable.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, count in
            "\(count == 1 ? "1 photo" : "\(count) photos") cannot be remade: \(reason.rawValue)"
        }
    }
}
