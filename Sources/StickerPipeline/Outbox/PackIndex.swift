package import PhotoColors

/// The contents of `pack.json`. It reveals neither the paths of the originals nor their metadata.
package struct PackIndex: Codable, Sendable, Equatable {
    package struct Pack: Codable, Sendable, Equatable {
        /// The root pack's is from the settings; the others' are their folders' names in the inbox, escaped.
        package var name: String
        /// From the settings; the other packs append a dot and their folder in the outbox.
        package var identifier: String
        package var publisher: String
    }

    package struct Sticker: Codable, Sendable, Equatable {
        /// `sha256:` and the photo's digest, followed by `#2` for the second sticker of a photo, and so on.
        package var id: String
        /// Relative to the folder that `pack.json` is in.
        package var file: String
        /// A small WebP of it, also relative; nil for stickers of a release that made none, and while a lost one is
        /// remade.
        package var thumbnail: String?
        /// The sticker's size in pixels, then the length of its file.
        package var width: Int
        package var height: Int
        package var bytes: Int
        /// ISO 8601, UTC.
        package var addedAt: String
        /// 0…1, four decimals.
        package var confidence: Double
        /// Of the whole photo, heaviest first; none if unknown.
        package var colors: [ColorFacts]
        /// Of the subject alone; none if unknown.
        package var subjectColors: [ColorFacts]
        /// The suggested background: four colors from the top leading to the bottom trailing corner; none without
        /// `colors`.
        package var gradient: [HexColor]
    }

    /// A pending or failed photo, by its file's name, escaped.
    package struct Waiting: Codable, Sendable, Equatable {
        package var name: String
        /// One line for a person, if any.
        package var reason: String?
    }

    package static let fileName = "pack.json"
    package static let schemaVersion = 1
    /// The most pending or failed photos listed; `stickerd status` has the full counts.
    package static let maxListed = 1000

    package var schemaVersion: Int
    /// Incremented with every written change.
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
