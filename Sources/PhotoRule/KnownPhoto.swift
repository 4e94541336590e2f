package import FileNames
package import Foundation

/// What the Library knows of one photo: facts, whatever events they came from. `decide` says what should become of the
/// photo's files and stickers.
///
/// Facts are bounded: of each pack, the first file of each rank (`File.rank`), the first that left, those in progress,
/// those that a departure names, and any that the question is about. Further files change nothing but their own states.
package struct KnownPhoto: Sendable {
    /// One content under one name. A file whose contents change keeps its row until the new ones are known.
    package struct File: Sendable {
        /// Where the file is, as far as the Library knows.
        package enum Presence: String, Sendable, CaseIterable, Codable {
            /// In the inbox, with these bytes.
            case here
            /// In the inbox; its contents have changed and are not hashed yet, so that it holds its former photo until
            /// then.
            case unread
            /// Where stickerd moved it, and can read it.
            case archived, setAside
            /// stickerd removed it.
            case deleted
            /// Others took it out of the inbox, its name is ignored now, or it has other contents.
            case left
            /// It was in a former inbox.
            case unknown
        }

        let id: Int64
        /// Its place in the order of arrival.
        let arrival: Int64
        let presence: Presence
        var isClaimed = false
        /// Whether the last try to read this file failed, for a reason that is not its photo's.
        var isUnreadable = false

        /// See the properties.
        package init(
            id: Int64, arrival: Int64, presence: Presence, isClaimed: Bool = false, isUnreadable: Bool = false
        ) {
            (self.id, self.arrival, self.presence) = (id, arrival, presence)
            (self.isClaimed, self.isUnreadable) = (isClaimed, isUnreadable)
        }
    }

    /// How the photo's last file left a pack: the only evidence for the withdrawal of a sticker without a file.
    package struct Departure: Sendable {
        /// When the photo had come into the pack.
        let since: Date
        let date: Date
        /// Whether the settings withdrew the stickers of removed photos at that time.
        var withdraws = false
        let file: Int64
        /// Whether the file was renamed, not removed.
        var isRename = false

        /// See the properties.
        package init(since: Date, date: Date, withdraws: Bool = false, file: Int64, isRename: Bool = false) {
            (self.since, self.date, self.withdraws) = (since, date, withdraws)
            (self.file, self.isRename) = (file, isRename)
        }
    }

    package struct Sticker: Sendable {
        /// Counts the photo's stickers from 0.
        package let ordinal: Int
        let recipe: String
        /// When it came into its pack.
        let added: Date
        /// Whether its file is in the outbox; if not, its name is reserved.
        package var isPublished = true
        /// Whether only its name is known: it was never made.
        var isReserved = false
        /// Whether the pack's index lists it.
        var isListed = true
        /// Whether it is to be made again.
        var isRequested = false

        /// See the properties.
        package init(
            ordinal: Int, recipe: String, added: Date, isPublished: Bool = true, isReserved: Bool = false,
            isListed: Bool = true, isRequested: Bool = false
        ) {
            (self.ordinal, self.recipe, self.added) = (ordinal, recipe, added)
            (self.isPublished, self.isReserved) = (isPublished, isReserved)
            (self.isListed, self.isRequested) = (isListed, isRequested)
        }
    }

    /// What a recipe made of the photo.
    package struct Result: Sendable {
        /// What making the photo's stickers with the recipe came to.
        package enum Outcome: Sendable, Equatable {
            case made(Int)
            case noSubject
            case failed
        }

        let recipe: String
        let outcome: Outcome

        /// See the properties.
        package init(recipe: String, outcome: Outcome) { (self.recipe, self.outcome) = (recipe, outcome) }
    }

    /// The photo in one pack.
    package struct InPack: Sendable {
        /// '' for the root pack.
        package let name: ExactName
        var files: [File] = []
        /// When the photo came into this pack: as an earlier decision stored it, or when the first of its files came.
        var since: Date?
        var departure: Departure?
        /// The photo's, by their numbers.
        package var stickers: [Sticker] = []
        /// The numbers of the stickers that a user removed; 0 if the photo had none.
        package var removed: [Int] = []
        /// Whether it was skipped as a near-duplicate of a photo that still has a sticker here.
        var isLed = false
        /// Whether a user asked for another try.
        var isRequested = false
        /// The recipe whose result the pack goes by: of the work that ended last for it, or as an earlier decision
        /// stored it. Nil if its file is new or has changed, or a user asked for a remake.
        var decided: String?

        /// See the properties.
        package init(
            name: ExactName, files: [File] = [], since: Date? = nil, departure: Departure? = nil,
            stickers: [Sticker] = [], removed: [Int] = [], isLed: Bool = false, isRequested: Bool = false,
            decided: String? = nil
        ) {
            (self.name, self.files, self.since, self.departure) = (name, files, since, departure)
            (self.stickers, self.removed, self.isLed) = (stickers, removed, isLed)
            (self.isRequested, self.decided) = (isRequested, decided)
        }
    }

    /// Those that have a file or a sticker of the photo, or had one.
    package var packs: [InPack]
    /// At most one for each recipe.
    var results: [Result]

    package init(packs: [InPack], results: [Result]) { (self.packs, self.results) = (packs, results) }
}

extension KnownPhoto.InPack {
    /// Whether a file that is in no inbox any more is remembered.
    var isShown: Bool { !stickers.isEmpty || !removed.isEmpty }

    /// When the photo came into this pack. It may have had a sticker here before its files.
    var arrived: Date? { ([since ?? departure?.since].compactMap(\.self) + stickers.map(\.added)).min() }
}

extension KnownPhoto.File {
    /// Of the files that hold the photo in a pack, the one with the lowest rank, and then the first to arrive, stands
    /// for it: it is worked on, and is the source of the stickers. Nil if it does not hold the photo.
    var rank: Int? {
        switch presence {
        case .here, .archived: isUnreadable ? 2 : 0
        // After one that was put back into the inbox to be tried again.
        case .setAside: isUnreadable ? 2 : 1
        case .deleted: 3
        case .unknown: 4
        case .unread: 5
        case .left: nil
        }
    }

    /// Whether it is where stickerd can read it, if nothing is in the way.
    var isThere: Bool { presence == .here || presence == .archived || presence == .setAside }

    /// The state of a file that stickerd cannot read because of where it is.
    var stateUnread: FileState {
        guard presence == .unread else { return .done }
        return isUnreadable ? .failed : .pending
    }
}
