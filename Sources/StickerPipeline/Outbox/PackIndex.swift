package import PhotoColors

/// What `pack.json` says. Nothing in it tells where the originals are or what their metadata says.
package struct PackIndex: Codable, Sendable, Equatable {
    package struct Pack: Codable, Sendable, Equatable {
        package var name: String
        package var identifier: String
        package var publisher: String
    }

    package struct Sticker: Codable, Sendable, Equatable {
        /// `sha256:` and the photo's digest; `#2` behind it for the second sticker of a photo, and so on.
        package var id: String
        /// Relative to the folder that `pack.json` is in.
        package var file: String
        /// A small WebP of it, relative likewise; nil for stickers of a release that made none.
        package var thumbnail: String?
        package var width: Int
        package var height: Int
        package var bytes: Int
        /// ISO 8601, UTC.
        package var addedAt: String
        package var confidence: Double
        /// Of the whole photo, heaviest first.
        package var colors: [ColorFacts]
        /// Of the subject alone.
        package var subjectColors: [ColorFacts]
        /// The background it looks good on: four colors from the top leading to the bottom trailing corner.
        package var gradient: [HexColor]
    }

    /// A photo without a sticker (yet), known by the stem of its file.
    package struct Waiting: Codable, Sendable, Equatable {
        package var name: String
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
    package var pending: [Waiting]
    package var failed: [Waiting]
}
