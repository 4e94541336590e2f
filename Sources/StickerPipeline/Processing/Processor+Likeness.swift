import PhotoLibrary
import PhotoLikeness

/// Photos that look like an earlier one.
extension Processor {
    /// Does the last part of the work on a photo: looks up whom it looks like, and writes down its ending. Photos of one
    /// pack take turns with this, or those of a burst, worked on at the same time, would miss each other.
    ///
    /// - Parameter likeness: nil where nobody wants to know; then nobody waits either.
    func inTurn(
        of likeness: Likeness?, _ photo: OpenPhoto, for claim: Claim,
        _ finish: (LikePhoto?) async throws -> Void
    ) async throws {
        guard let likeness else { return try await finish(nil) }
        let turn = lookingUp.queueUp(for: claim.pack)
        await turn.wait()
        defer { lookingUp.finish(turn) }
        try await finish(library.likest(to: likeness, ofPhoto: photo.sha256, inPack: claim.pack))
    }
}
