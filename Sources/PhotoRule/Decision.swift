package import FileNames
package import Foundation

/// What should become of a photo's files and stickers, pack by pack, in the order of the facts.
///
/// States, withdrawals, removals and forgotten departures take effect in the transaction that asked. Work is done
/// later; what it records is decided again.
package struct Decision: Sendable, Equatable {
    /// What is to be done for stickers that a pack lacks.
    package enum Work: Sendable, Equatable {
        /// Make all stickers of the photo with the current recipe, and publish those that are not removed.
        case make
        /// Publish the stickers of this pack, unchanged.
        case copy(from: ExactName)
    }

    /// Why a sticker is withdrawn.
    package enum Evidence: String, Sendable {
        /// A user removed it.
        case removed
        /// Its photo left while the settings withdrew the stickers of such photos.
        case left
        /// Its photo moved to a pack that lists the photo's stickers now.
        case moved
        /// Its photo has newer stickers in the pack.
        case replaced
        /// Made again, its photo has no subject.
        case noSubject
        /// It is not in the outbox, and is not going to be made.
        case unpublished
    }

    /// A sticker that leaves its pack, by its number among the photo's stickers.
    package struct Withdrawal: Sendable, Equatable {
        package let ordinal: Int
        let evidence: Evidence
    }

    /// What becomes of the photo in one pack.
    package struct InPack: Sendable, Equatable {
        /// Of the files among the facts, in their order; nil if the file's row goes.
        package var states: [FileState?] = []
        /// The index of the file that stands for the photo, among the facts' files; nil if none holds it here.
        package var first: Int?
        /// Of files that hold the photo and are not among the facts.
        package var copies: FileState?
        /// nil if nothing is to be made or copied.
        package var work: Work?
        /// In the order of the facts' stickers.
        package var withdrawn: [Withdrawal] = []
        /// What `removed` becomes, in ascending order.
        package var removed: [Int] = []
        /// What `decided` becomes.
        package var decided: String?
        /// When the photo came into the pack, to be stored; nil if neither a file nor a sticker of it is there.
        package var since: Date?
        /// Whether the departure is over, because the photo is back.
        package var forgetsDeparture = false
    }

    /// In the order of the facts' packs.
    package var packs: [InPack]
}
