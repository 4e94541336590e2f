import PhotoLibrary
import StickerPipeline

/// Puts photos back into the queue whose stickers are to be made anew.
package enum RemakeRequest {
    /// What came of a request.
    package struct Outcome: Sendable {
        /// Files that are waiting now.
        package let files: Int
        /// How many photos cannot be made again, and why; one line for each reason.
        package let unavailable: [String]
        /// Whether a running daemon was told; it reads its settings again, too.
        package let isUnderWay: Bool
        /// A daemon is running that this user may not tell.
        package let needsReload: Bool
    }

    /// - Parameter all: not only what was made with another recipe than that of `settings`.
    /// - Throws: `LibraryError` where there is no Library that can be written.
    package static func send(all: Bool, settings: Settings) throws -> Outcome {
        let recipe = all ? nil : try settings.recipe(settings.openModel()).identifier
        let remake = try PhotoLibrary.requestRemake(in: settings.state, otherThan: recipe, inbox: settings.inbox)
        let (isTold, isRefused) = DaemonWaking.tell(remake.daemon)
        return Outcome(
            files: remake.files, unavailable: lines(remake.unavailable), isUnderWay: isTold, needsReload: isRefused)
    }

    private static func lines(_ unavailable: [PhotoLibrary.Remake.Unavailable: Int]) -> [String] {
        unavailable.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, count in
            "\(count == 1 ? "1 photo" : "\(count) photos") cannot be made again: \(reason.rawValue)"
        }
    }
}
