package import Foundation
import GRDB
package import PhotoFacts

/// A finished sticker as the Library knows it: a row of `sticker`, but for the columns that only the Library uses.
package struct StickerRecord: Codable, FetchableRecord, EncodableRecord, Sendable, Hashable {
    /// The pack's name in the Library: '' for the root pack.
    package private(set) var pack: String
    /// SHA-256 of the photo, lowercase hexadecimal.
    package let photo: String
    /// Its number among the stickers of one photo, from 0.
    package let ordinal: Int
    /// Its name in the pack's folder.
    package private(set) var file: String
    /// As in `StickerFacts`, then the length of its file.
    package let width: Int
    package let height: Int
    package let bytes: Int
    /// SHA-256 of the sticker file, lowercase hexadecimal.
    package let sha256: String
    /// As in `StickerFacts`.
    package let confidence: Double
    /// The identifier of the recipe it was made with.
    package let recipe: String
    /// When it came into its pack; a remade sticker keeps this.
    package private(set) var added: Date
    /// Its thumbnail's name in the pack's folder of thumbnails, if it has one.
    package private(set) var thumbnail: String?

    /// - Parameter file: the name that was reserved for it.
    package init(
        _ facts: StickerFacts, pack: String, photo: String, ordinal: Int = 0, file: String, thumbnail: String? = nil,
        bytes: Int, sha256: String, recipe: String, added: Date = .now
    ) {
        self.pack = pack
        self.photo = photo
        self.ordinal = ordinal
        self.file = file
        width = facts.width
        height = facts.height
        self.bytes = bytes
        self.sha256 = sha256
        confidence = facts.confidence
        self.recipe = recipe
        self.added = added
        self.thumbnail = thumbnail
    }
}

extension StickerRecord {
    /// The same sticker as a file of another pack, added now.
    package func copied(toPack pack: String, as file: String, thumbnail: String?) -> StickerRecord {
        var copy = self
        copy.pack = pack
        copy.file = file
        copy.thumbnail = thumbnail
        copy.added = .now
        return copy
    }

    /// Values for every column of a row.
    ///
    /// - Parameters:
    ///   - source: the key of the file that it was made from; 0 if that is not known.
    ///   - arrival: its place in the pack.
    func arguments(source: Int64, arrival: Int64) throws -> StatementArguments {
        var columns = try databaseDictionary
        columns["source"] = source.databaseValue
        columns["arrival"] = arrival.databaseValue
        return StatementArguments(columns)
    }
}
