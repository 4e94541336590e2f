package import PhotoFacts
import PhotoLikeness

/// How the work on a claimed file ended.
package struct Ending: Sendable {
    /// What is remembered of the photo itself, whatever files hold it.
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

    let state: FinalState
    let reason: String?
    let result: Result?
    let stickers: [StickerRecord]
    let stems: [String]
    /// The photo that it was skipped for.
    var like: SimilarPhoto?

    /// What its original is treated as: a near-duplicate is no copy, and may be the only one of its kind.
    var fate: FinalState { like != nil ? .noSubject : state }

    /// The photo, if `stickers` are now all it has.
    var photo: String? { stickers.first?.photo ?? result?.photo }

    /// Nil without a sticker: near-duplicates are found by stickers.
    var likeness: (photo: String, value: PerceptualHash)? {
        guard state == .done, let result, let likeness = result.facts.likeness else { return nil }
        return (result.photo, likeness)
    }

    /// Made: the stickers are safe in the outbox. `stems` are as for `copied`.
    package static func made(_ stickers: [StickerRecord], result: Result, stems: [String]) -> Ending {
        Ending(state: .done, reason: nil, result: result, stickers: stickers, stems: stems)
    }

    /// The stickers were copied from another pack. `stems` are names for the photo's palette files, without extension,
    /// best first.
    package static func copied(_ stickers: [StickerRecord], stems: [String]) -> Ending {
        Ending(state: .done, reason: nil, result: nil, stickers: stickers, stems: stems)
    }

    /// The stickers were there already.
    package static let unchanged = Ending(state: .done, reason: nil, result: nil, stickers: [], stems: [])

    /// No subject is clear enough for a sticker, but the photo's colors are kept. `stems` are as for `copied`.
    package static func noSubject(_ result: Result, stems: [String]) -> Ending {
        Ending(
            state: .noSubject, reason: "no clear subject (confidence \(result.facts.confidence))", result: result,
            stickers: [], stems: stems)
    }

    /// The same bytes came in before, and no subject was found in them.
    ///
    /// - Parameter reason: one line for a person.
    package static func noSubject(like reason: String) -> Ending {
        Ending(state: .noSubject, reason: reason, result: nil, stickers: [], stems: [])
    }

    /// The same bytes came in before, as this file of the pack.
    package static func duplicate(of path: InboxPath) -> Ending {
        Ending(state: .duplicate, reason: "duplicate of \(path)", result: nil, stickers: [], stems: [])
    }

    /// It looks like a photo of this pack that has a sticker, and such are skipped.
    package static func nearDuplicate(of like: SimilarPhoto) -> Ending {
        Ending(state: .duplicate, reason: like.description, result: nil, stickers: [], stems: [], like: like)
    }

    /// - Parameter reason: one line for a person.
    package static func failed(reason: String) -> Ending {
        Ending(state: .failed, reason: reason, result: nil, stickers: [], stems: [])
    }
}
