import PhotoLibrary
import StickerPipeline

/// Puts photos back into the queue whose stickers are to be made anew.
package enum RemakeRequest {
    /// What came of a request.
    package struct Outcome: Sendable {
        /// Files that are waiting now.
        package let files: Int
        /// Whether a running daemon was told; it reads its settings again, too.
        package let isUnderWay: Bool
        /// A daemon is running that this user may not tell.
        package let needsReload: Bool
    }

    /// - Parameter all: not only what was made with another recipe than that of `settings`.
    /// - Throws: `LibraryError` where there is no Library that can be written.
    package static func send(all: Bool, settings: Settings) throws -> Outcome {
        let recipe = all ? nil : try settings.recipe.identifier
        let (files, daemon) = try PhotoLibrary.requestRemake(in: settings.state, otherThan: recipe)
        let (isTold, isRefused) = DaemonWaking.tell(daemon)
        return Outcome(files: files, isUnderWay: isTold, needsReload: isRefused)
    }
}
