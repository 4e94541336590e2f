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
        package var width: Int
        package var height: Int
        package var bytes: Int
        /// ISO 8601, UTC.
        package var addedAt: String
        package var confidence: Double
        package var colors: [SchemeColor]
    }

    /// A photo without a sticker (yet), known by the stem of its file.
    package struct Waiting: Codable, Sendable, Equatable {
        package var name: String
        package var reason: String?
    }

    package static let fileName = "pack.json"
    /// Longest list of waiting or failed photos; `stickerd status` has the full counts.
    package static let maxListed = 1000

    package var schemaVersion = 1
    package var pack: Pack
    /// Grows by one at every written change.
    package var revision: Int
    /// When this revision was written; ISO 8601, UTC.
    package var updated: String
    /// In order of arrival.
    package var stickers: [Sticker]
    package var pending: [Waiting]
    package var failed: [Waiting]

    /// Whether a reader would see a difference beside revision and date.
    func saysTheSame(as other: PackIndex) -> Bool {
        var twin = other
        twin.revision = revision
        twin.updated = updated
        return self == twin
    }
}
