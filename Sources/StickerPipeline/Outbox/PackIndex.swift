package import PhotoColors

/// What `pack.json` says. Nothing in it tells where the originals are or what their metadata says.
package struct PackIndex: Codable, Sendable, Equatable {
    package struct Pack: Codable, Sendable, Equatable {
        /// That of the settings for the root's pack; for the others that of their folder in the inbox, escaped.
        package var name: String
        /// That of the settings; the other packs have a dot and their folder in the outbox behind it.
        package var identifier: String
        package var publisher: String
    }

    package struct Sticker: Codable, Sendable, Equatable {
        /// `sha256:` and the photo's digest; `#2` behind it for the second sticker of a photo, and so on.
        package var id: String
        /// Relative to the folder that `pack.json` is in.
        package var file: String
        /// A small WebP of it, relative likewise; nil for stickers of a release that made none, and while one that was
        /// lost is made again.
        package var thumbnail: String?
        /// The sticker's size in pixels, then the length of its file.
        package var width: Int
        package var height: Int
        package var bytes: Int
        /// ISO 8601, UTC.
        package var addedAt: String
        /// How sure it is that the sticker shows a clear subject, 0…1, four decimals.
        package var confidence: Double
        /// Of the whole photo, heaviest first; none where nobody knows them.
        package var colors: [ColorFacts]
        /// Of the subject alone; none likewise.
        package var subjectColors: [ColorFacts]
        /// The background it looks good on: four colors from the top leading to the bottom trailing corner, or none
        /// without `colors`.
        package var gradient: [HexColor]
    }

    /// A photo without a sticker (yet), known by the name of its file, escaped.
    package struct Waiting: Codable, Sendable, Equatable {
        package var name: String
        /// One line for a person, where there is something to say.
        package var reason: String?
    }

    package static let fileName = "pack.json"
    package static let schemaVersion = 1
    /// Longest list of waiting or failed photos; `stickerd status` has the full counts.
    package static let maxListed = 1000

    package var schemaVersion: Int
    /// Grows by one at every written change.
    package var revision: Int
    /// When this revision was written; ISO 8601, UTC.
    package var updated: String
    package var pack: Pack
    /// In order of arrival.
    package var stickers: [Sticker]
    /// In order of arrival, at most `maxListed` of each.
    package var pending: [Waiting]
    package var failed: [Waiting]
}
