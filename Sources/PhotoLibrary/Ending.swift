package import PhotoFacts
import PhotoLikeness

/// How the work on a claimed file ended.
package struct Ending: Sendable {
    /// What is recorded of the photo, whichever files hold it.
    package struct Result: Sendable {
        /// SHA-256 of the photo, lowercase hexadecimal.
        package let photo: String
        package let facts: PhotoFacts
        /// The identifier of the recipe it was made with.
        package let recipe: String

        package init(photo: String, facts: PhotoFacts, recipe: String) {
            self.photo = photo
            self.facts = facts
            self.recipe = recipe
        }
    }

    enum Kind: String {
        /// Stickers were made or copied, if a user had not removed them.
        case done
        case noSubject
        /// Nothing can be made of the photo.
        case failed
        /// The file cannot be read.
        case unreadable
        /// The file is no photo.
        case ignored
        /// The photo is a near-duplicate to be skipped.
        case duplicate
        /// There was nothing to do.
        case upToDate

        /// Whether it concerns the photo, whichever files hold it.
        var isOfPhoto: Bool { self != .upToDate && self != .unreadable && self != .ignored }
    }

    let kind: Kind
    /// One line for a person, if there is a reason.
    package var reason: String?
    var result: Result?
    var stickers: [StickerRecord] = []
    var stems: [String] = []
    /// The numbers of the stickers that were not made because a user had removed them.
    var skipped: Set<Int> = []
    /// The photo that it is a near-duplicate of, if it was skipped for that.
    var like: SimilarPhoto?
    /// The recipe that failed; nil for the current one.
    var recipe: String?
    /// Whether permissions were the reason.
    var isForbidden = false

    /// The photo whose stickers or colors were made.
    var photo: String? { stickers.first?.photo ?? result?.photo }

    /// Nil without a sticker: near-duplicates are compared with photos that have one.
    var likeness: (photo: String, value: PerceptualHash)? {
        guard kind == .done, let result, let likeness = result.facts.likeness else { return nil }
        return (result.photo, likeness)
    }

    /// The stickers were made, or copied from another pack, and are on disk in the outbox: all but `skipped`, maybe
    /// none.
    ///
    /// - Parameters:
    ///   - stickers: in order of their numbers.
    ///   - result: recorded of the photo; nil if they were copied.
    ///   - stems: names without extension for the photo's palette files, best first.
    ///   - skipped: the numbers of the stickers that a user had removed.
    package static func made(
        _ stickers: [StickerRecord], result: Result? = nil, stems: [String], skipping skipped: Set<Int> = []
    ) -> Ending {
        Ending(kind: .done, result: result, stickers: stickers, stems: stems, skipped: skipped)
    }

    /// There was nothing to do (`Resolution.upToDate`). `stems` are as for `made`: what is known of the photo may
    /// have no palettes in this pack.
    package static func upToDate(stems: [String] = []) -> Ending { Ending(kind: .upToDate, stems: stems) }

    /// No subject is clear enough for a sticker, but the photo's colors are kept. `stems` are as for `made`.
    package static func noSubject(_ result: Result, stems: [String]) -> Ending {
        Ending(kind: .noSubject, reason: noSubjectReason, result: result, stems: stems)
    }

    /// A near-duplicate of a photo with a sticker in this pack, skipped as the settings require.
    package static func nearDuplicate(of like: SimilarPhoto) -> Ending {
        Ending(kind: .duplicate, reason: like.description, like: like)
    }

    /// Why a photo has no sticker if no subject is clear, and what to do.
    package static let noSubjectReason = "no clear subject: try one thing on a calm background"

    /// The file is no photo, and is left alone until its contents change.
    package static let notAPicture = Ending(kind: .ignored, reason: "not a picture")

    /// Nothing can be made of the photo, whichever file holds it.
    ///
    /// - Parameters:
    ///   - reason: one line for a person.
    ///   - recipe: the identifier of the recipe that failed; nil for the current one.
    package static func failed(reason: String, recipe: String? = nil) -> Ending {
        Ending(kind: .failed, reason: reason, recipe: recipe)
    }

    /// The file could not be read, whatever photo it has.
    ///
    /// - Parameters:
    ///   - reason: one line for a person.
    ///   - isForbidden: whether permissions were the reason: those of a folder may change without a change of the file.
    package static func unreadable(reason: String, isForbidden: Bool = false) -> Ending {
        Ending(kind: .unreadable, reason: reason, isForbidden: isForbidden)
    }
}
