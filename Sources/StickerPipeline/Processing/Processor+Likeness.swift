import Logging
import PhotoLibrary
import PhotoLikeness
import Systemd

/// Photos that look like an earlier one.
extension Processor {
    /// Does the last part of the work on a photo, unless it looks like an earlier one of its pack and is to be skipped.
    ///
    /// Skipping, the photos of one pack take turns, or those of a burst, worked on at the same time, would miss each
    /// other. Telling afterwards, nobody waits.
    func sparingLookalikes(
        of result: Ending.Result, _ claim: Claim, _ settings: ProcessorSettings, finish: () async throws -> Void
    ) async throws {
        guard let likeness = result.likeness else { return try await finish() }
        guard settings.nearDuplicates == .skip else {
            try await finish()
            guard let like = try await library.like(ofPhoto: result.photo, inPack: claim.pack) else { return }
            return log(.nearDuplicate, "Looks like an earlier photo", claim, ["like": "\(like)"])
        }
        let turn = lookingUp.queueUp(for: claim.pack)
        await turn.wait()
        defer { lookingUp.finish(turn) }
        guard let like = try await library.likest(to: likeness, ofPhoto: result.photo, inPack: claim.pack) else {
            return try await finish()
        }
        try await library.finish(claim, as: .nearDuplicate(of: like), originals: settings.originals)
        log(.nearDuplicate, "Skipped", claim, ["like": "\(like)", "state": "duplicate"])
    }
}
